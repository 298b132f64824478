import type { Page, PageRequest } from '../domain/page.ts';
import type { Queue, QueueSettings } from '../domain/queue.ts';
import type { TaskCounts } from '../domain/task.ts';
import type { Repeatable } from './repeatable.ts';

export interface QueueOperations {
  /** QUEUE_EXISTS when the name is taken. What is not said is QUEUE_DEFAULTS'. A program needs role admin. */
  create(name: string, settings?: Partial<QueueSettings>, options?: Repeatable): Promise<Queue>;
  find(name: string): Promise<Queue | null>;
  /** QUEUE_NOT_FOUND. */
  get(name: string): Promise<Queue>;
  list(page?: PageRequest): Promise<Page<Queue>>;
  /** Changes what is given, keeps the rest. With `revision`, QUEUE_CHANGED if it is another by now. */
  set(
    name: string,
    change: Partial<QueueSettings>,
    options?: Repeatable & { revision?: number },
  ): Promise<Queue>;
  /** Sets the whole definition, making the queue if need be; what is not said is QUEUE_DEFAULTS'. Continuous tasks may start at once. */
  define(name: string, settings: Partial<QueueSettings>, options?: Repeatable): Promise<Queue>;
  pause(name: string, options?: Repeatable): Promise<Queue>;
  resume(name: string, options?: Repeatable): Promise<Queue>;
  /** `refuse` (default): QUEUE_NOT_EMPTY when it holds tasks. Says how many tasks went with it. */
  delete(
    name: string,
    options?: Repeatable & { tasks?: 'refuse' | 'delete' | 'keep' },
  ): Promise<{ tasks: number }>;
  /** Counts by state as of now, in constant time. */
  counts(): Promise<{ queue: string; counts: TaskCounts }[]>;
  countsOf(name: string): Promise<TaskCounts>;
  /** Lets waiting tasks of a gated queue be claimed, up to `limit` admitted and live; LEASE_HELD when the lease is not held under that term. */
  admit(
    name: string,
    request: { limit: number; lease?: { name: string; term: number } },
    options?: Repeatable,
  ): Promise<{ admitted: number }>;
}
