import type { Node, NodeReport, NodeWish } from '../domain/node.ts';
import type { Page } from '../domain/page.ts';
import type { Mutation, Step } from './step.ts';

export interface NodeStore {
  /**
   * Registers or refreshes nodes, all in one step: active, heartbeat now, expiry now +
   * `ttlMs`, the report as given. What operators set stays. `id` is used only for a node that is new. Returns
   * them as they are now, in order, so that a node learns its wish and limit.
   */
  heartbeat(namespace: string, beats: readonly NodeBeat[], step: Step): Promise<readonly Node[]>;
  /** `runningCount`, here and elsewhere: its attempts that live. */
  find(namespace: string, name: string): Promise<Node | null>;
  /** Nodes in order of name, after the name `after`. */
  list(namespace: string, query: NodeQuery, step: Step): Promise<Page<Node>>;
  /** What operators set. null: no such node. */
  update(namespace: string, name: string, change: NodeChange, step: Mutation): Promise<Node | null>;
  /** The node said goodbye: inactive until its next heartbeat. Its leases run on. */
  deactivate(namespace: string, name: string, step: Mutation): Promise<'deactivated' | 'missing'>;
  /** Forgets it; its attempts keep its name. */
  delete(namespace: string, name: string, step: Mutation): Promise<'deleted' | 'missing'>;
}

export interface NodeBeat {
  readonly id: string;
  readonly name: string;
  readonly ttlMs: number;
  readonly report: NodeReport;
}

export interface NodeQuery {
  readonly after: string | null;
  readonly limit: number;
  /** Only nodes that are active and whose expiry lies ahead. */
  readonly live?: boolean;
  readonly parent?: string;
}

export interface NodeChange {
  readonly wish?: NodeWish;
  readonly maxRunning?: number | null;
}
