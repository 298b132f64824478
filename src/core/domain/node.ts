import type { Json } from './json.ts';

/** What operators want of a node: work, finish and take no more (draining), or wait (cordoned). */
export const NODE_WISHES = ['work', 'drain', 'cordon'] as const;
export type NodeWish = (typeof NODE_WISHES)[number];

/** What a node says of itself with each heartbeat. */
export interface NodeReport {
  /** Nodes form a tree where an old client says so (Coordinate's parent worker). */
  readonly parent: string | null;
  /** Free text for people and old clients: RUN, IDLE, TERMINATE … */
  readonly mode: string;
  readonly slots: number;
  /** Handlers it can run; null: it did not say, so it is asked for anything. */
  readonly handlers: readonly string[] | null;
  /** Whether it runs programs. */
  readonly programs: boolean;
  /** Queues it wants (null: all) and does not want. */
  readonly queuesOnly: readonly string[] | null;
  readonly queuesNot: readonly string[];
  readonly version: string;
  readonly host: string;
  readonly pid: number | null;
  readonly data: Json;
}

export interface Node extends NodeReport {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** False after it said goodbye; a node whose `expiresAt` is past is dead as well. */
  readonly active: boolean;
  readonly wish: NodeWish;
  /** Limit over all its queues; set by operators. null: none. */
  readonly maxRunning: number | null;
  /** Grows with each task pushed to it, so that dispatchers spread evenly. */
  readonly assignedVersion: number;
  readonly assignedAt: Date | null;
  readonly runningCount: number;
  readonly createdAt: Date;
  readonly heartbeatAt: Date;
  readonly expiresAt: Date;
}

export const NODE_REPORT_DEFAULTS: NodeReport = {
  parent: null,
  mode: '',
  slots: 1,
  handlers: null,
  programs: false,
  queuesOnly: null,
  queuesNot: [],
  version: '',
  host: '',
  pid: null,
  data: null,
};
