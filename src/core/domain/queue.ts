import type { QueueId } from './ids.ts';
import type { Json } from './json.ts';

export const QUEUE_ORDERS = ['fifo', 'lifo', 'key'] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

export const ON_LOST = ['requeue', 'park', 'fail'] as const;
export type OnLost = (typeof ON_LOST)[number];

export const ADMISSIONS = ['open', 'gated'] as const;
export type Admission = (typeof ADMISSIONS)[number];

/** A program that runs each task. Items are argv entries, never a shell's; `{item}` is filled from params. */
export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Waits a random part of base × factor^(tries − 1), at most `maxMs`, before the next try. */
export interface RetryPolicy {
  readonly baseMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/**
 * At most `max` tasks with the same key: at one time (`perMs` null), or started
 * within `perMs`. The key is what the params hold at `by` (`tenant`,
 * `customer.region`); tasks without it share the key "".
 */
export interface KeyedLimit {
  readonly name: string;
  readonly by: string;
  readonly max: number;
  readonly perMs: number | null;
}

/** How long finished tasks are kept; null keeps them for ever. */
export interface Retention {
  readonly succeededMs: number | null;
  readonly failedMs: number | null;
}

/** All that can be said of a queue but its name. null is "no limit", 0 is "none at all". */
export interface QueueSettings {
  /** The handler that runs its tasks; null with a program, or when any node that asks may have them. */
  readonly handler: string | null;
  readonly program: Program | null;
  /** The language runtime a claimer must name; "" for any claimer that names none. */
  readonly runtime: string;
  /** Higher queues go first, always. */
  readonly priority: number;
  /** The share among queues of equal priority; 0 gets nothing. */
  readonly weight: number;
  readonly paused: boolean;
  readonly order: QueueOrder;
  /** Limits on tasks claimed or running: in all, on each node, and by key. */
  readonly maxRunning: number | null;
  readonly maxRunningPerNode: number | null;
  readonly limits: readonly KeyedLimit[];
  readonly maxPerClaim: number | null;
  /** Nodes that may serve it (null: all), and nodes that may not. */
  readonly nodesOnly: readonly string[] | null;
  readonly nodesNot: readonly string[];
  /** Counted tries after which a failing task has failed; judged when an attempt ends. */
  readonly maxAttempts: number | null;
  readonly retry: RetryPolicy;
  /** Claims after which the next one fails the task; judged when an attempt begins. */
  readonly maxClaims: number | null;
  readonly maxRunMs: number | null;
  readonly leaseMs: number;
  readonly onLost: OnLost;
  /** Losses after which a task is set aside (held, `quarantined`) instead of tried again. */
  readonly maxLosses: number | null;
  readonly admission: Admission;
  /** An idle continuous queue makes a task of its own for whoever asks, at most one per interval. */
  readonly continuous: boolean;
  /** Fixed when the queue's definition is set: only then may `continuous` be switched on. */
  readonly canBeContinuous: boolean;
  readonly intervalMs: number;
  /** Where emitted tasks go that name no queue. */
  readonly nextQueue: string | null;
  readonly retention: Retention;
  /** Bytes of output kept per attempt; the middle is dropped beyond it. */
  readonly maxOutputBytes: number;
  /** Kept and given back, never looked at. */
  readonly data: Json;
}

export interface Queue extends QueueSettings {
  readonly id: QueueId;
  readonly namespace: string;
  readonly name: string;
  /** When the next continuous task may be made; null: at once. */
  readonly nextContinuousAt: Date | null;
  /** Grows with each change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const DAY_MS = 86_400_000;

export const QUEUE_DEFAULTS: QueueSettings = {
  handler: null,
  program: null,
  runtime: '',
  priority: 0,
  weight: 20,
  paused: false,
  order: 'fifo',
  maxRunning: null,
  maxRunningPerNode: null,
  limits: [],
  maxPerClaim: null,
  nodesOnly: null,
  nodesNot: [],
  maxAttempts: 3,
  retry: { baseMs: 1000, factor: 2, maxMs: 3_600_000 },
  maxClaims: null,
  maxRunMs: null,
  leaseMs: 30_000,
  onLost: 'requeue',
  maxLosses: 3,
  admission: 'open',
  continuous: false,
  canBeContinuous: false,
  intervalMs: 0,
  nextQueue: null,
  retention: { succeededMs: 7 * DAY_MS, failedMs: 30 * DAY_MS },
  maxOutputBytes: 16 * 1024 * 1024,
  data: null,
};
