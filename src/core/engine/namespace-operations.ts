import type { Namespace } from '../domain/namespace.ts';
import type { TaskCounts } from '../domain/task.ts';
import type { Repeatable } from './repeatable.ts';

export interface NamespaceOperations {
  /** Those the principal may use, by name. */
  list(): Promise<Namespace[]>;
  /** Makes one ahead of its first use; again is no error. */
  create(name: string, options?: Repeatable): Promise<void>;
  /** Takes it away with all that is in it; NAMESPACE_NOT_FOUND when it is not there. */
  delete(name: string, options?: Repeatable): Promise<void>;
  /** Counts of every queue of every namespace the principal may use, in one call. */
  counts(): Promise<NamespaceCounts[]>;
}

export interface NamespaceCounts {
  readonly namespace: string;
  readonly queue: string;
  readonly counts: TaskCounts;
}
