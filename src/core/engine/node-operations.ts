import type { Node, NodeReport, NodeWish } from '../domain/node.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import type { Repeatable } from './repeatable.ts';

export interface NodeOperations {
  /** Registers or refreshes a node and gives it back, so that it learns what is wanted of it. */
  heartbeat(
    name: string,
    report?: Partial<NodeReport>,
    options?: { ttlMs?: number },
  ): Promise<Node>;
  find(name: string): Promise<Node | null>;
  /** NODE_NOT_FOUND. */
  get(name: string): Promise<Node>;
  list(page?: PageRequest & { live?: boolean; parent?: string }): Promise<Page<Node>>;
  /** What operators want: drain, cordon, work; and the limit over all its queues. NODE_NOT_FOUND. */
  set(
    name: string,
    change: { wish?: NodeWish; maxRunning?: number | null },
    options?: Repeatable,
  ): Promise<Node>;
  /** The node says goodbye; its leases run on. NODE_NOT_FOUND. */
  deactivate(name: string, options?: Repeatable): Promise<void>;
  /** NODE_NOT_FOUND. */
  delete(name: string, options?: Repeatable): Promise<void>;
}
