import type { QueueId } from '../domain/ids.ts';
import type { Page } from '../domain/page.ts';
import type { Queue, QueueSettings } from '../domain/queue.ts';
import type { TaskCounts } from '../domain/task.ts';
import type { Mutation, Step } from './step.ts';

export interface QueueStore {
  /** Adds a queue, at revision 1, and if need be its namespace. `exists`: the name is taken, nothing changed. */
  insert(queue: NewQueue, step: Mutation): Promise<'inserted' | 'exists'>;
  /**
   * The queue of that name, or null. Deleted queues are never found. With `maxAgeMs` it may be as
   * another process left it so long ago, for callers whose next step checks it again.
   */
  find(namespace: string, name: string, options?: { maxAgeMs: number }): Promise<Queue | null>;
  /** Queues in order of name (by UTF-16 code unit), after the name `after`. */
  list(namespace: string, page: { after: string | null; limit: number }): Promise<Page<Queue>>;
  /**
   * Replaces the settings, if the queue is still at `revision`, which grows by one. A new
   * order gives every task that has not ended a new rank (rankOf its own id and key) in the
   * same step. An open admission readies, in the same step, what was held for admission; a
   * gated one leaves what is queued. `nextContinuousAt` is kept unless given.
   */
  update(change: QueueChange, step: Mutation): Promise<QueueUpdate>;
  /**
   * Takes the queue away: its name is free at once.
   * `refuse` with any task in it answers their number and changes nothing.
   * `delete` hides its tasks in the same step: they are found no more, their live
   * attempts lose their lease, their rows go in batches (`purge`).
   * `keep` leaves the tasks where `tasks` finds them by namespace, id, key and `queueIds`, under
   * the old name; they are claimed no more, live attempts may end. `tasks` in the answer
   * is how many it held.
   */
  delete(deletion: QueueDeletion, step: Mutation): Promise<QueueDeleted>;
  /** Removes at most `limit` hidden tasks with attempts and output; says how many. */
  purge(step: Step & { readonly limit: number }): Promise<number>;
  /**
   * What a claim chooses from: every queue of the namespace with its counts as of
   * now, by name, at most 100 ms old across processes, exact within one.
   */
  heads(namespace: string, step: Step): Promise<readonly QueueHead[]>;
  /** Counts by state as of now, exact, of every queue of one namespace or of all (null), by namespace and name. */
  counts(namespace: string | null, step: Step): Promise<readonly QueueCounts[]>;
  /**
   * Admits tasks held for admission, as of now: by priority, then rank, at most `limit` −
   * admitted (queued) − live. With `lease`, only while that lease is held under
   * that term; otherwise `lease-lost` and nothing is admitted.
   */
  admit(
    admission: AdmissionStep,
    step: Mutation,
  ): Promise<{ admitted: number } | 'lease-lost' | 'missing'>;
}

export interface NewQueue extends QueueSettings {
  readonly id: QueueId;
  readonly namespace: string;
  readonly name: string;
}

export interface QueueChange {
  readonly id: QueueId;
  readonly revision: number;
  readonly settings: QueueSettings;
  readonly nextContinuousAt?: Date | null;
}

export type QueueUpdate =
  | { readonly status: 'updated'; readonly queue: Queue }
  | { readonly status: 'missing' }
  | { readonly status: 'changed'; readonly revision: number };

export interface QueueDeletion {
  readonly id: QueueId;
  readonly tasks: 'refuse' | 'delete' | 'keep';
}

export type QueueDeleted =
  | { readonly status: 'deleted'; readonly tasks: number }
  | { readonly status: 'missing' }
  | { readonly status: 'refused'; readonly tasks: number };

export interface QueueHead {
  readonly queue: Queue;
  readonly counts: TaskCounts;
}

export interface QueueCounts {
  readonly namespace: string;
  readonly queueId: QueueId;
  readonly queue: string;
  readonly counts: TaskCounts;
}

export interface AdmissionStep {
  readonly queueId: QueueId;
  readonly limit: number;
  readonly lease: { readonly name: string; readonly term: number } | null;
}
