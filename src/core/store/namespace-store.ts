import type { Namespace } from '../domain/namespace.ts';
import type { Mutation } from './step.ts';

export interface NamespaceStore {
  /** All, by name. */
  list(): Promise<Namespace[]>;
  /** Makes it if it is missing; repeated and raced calls make one. Queues and nodes do this by themselves. */
  ensure(name: string, step: Mutation): Promise<void>;
  /**
   * Takes it away with its queues, tasks (kept ones too) and nodes in one step, as
   * `queues.delete` does with `delete`: the names are free at once, live attempts lose their lease,
   * rows go in batches (`queues.purge`).
   */
  delete(name: string, step: Mutation): Promise<'deleted' | 'missing'>;
}
