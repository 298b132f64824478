import type { Attempt } from '../domain/attempt.ts';
import type { QueueId, TaskId } from '../domain/ids.ts';
import type { OutputChunk } from '../domain/output.ts';
import type { Page } from '../domain/page.ts';
import type { AccessToken } from '../domain/principal.ts';
import type { Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import type { Step } from './step.ts';

/**
 * What copying needs beyond the rest: all there is, whole and as it is stored, and putting
 * it into another store as it was. The engine never uses it.
 *
 * Everything that is put is put once: what is there already, by its id or number, is left alone.
 */
export interface ArchiveStore {
  /** Queues of a namespace in order of id, after the id `after`; those deleted with their tasks kept as well. */
  listQueues(
    namespace: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<ArchivedQueue>>;
  /**
   * Tasks of a queue in order of id, after the id `after`, at most `limit`, and no more than about
   * `limitBytes` of params, results and data of attempts (but at least one). As they are stored:
   * nothing that is due is dealt with first. None of a queue that is unknown or hidden.
   */
  listTasks(query: ArchiveQuery): Promise<Page<ArchivedTask>>;
  /** All access tokens by name, those past their end as well. `tokens.insert` puts them. */
  listTokens(): Promise<ArchivedToken[]>;
  /**
   * Adds a queue as it is given, with its id, revision and times, and if need be its namespace.
   * `there`: a queue with this id is there, or was and is not purged yet. `name-taken`: another
   * queue has the name, which only matters to one that is not deleted. Both change nothing.
   */
  putQueue(archived: ArchivedQueue, step: Step): Promise<'put' | 'there' | 'name-taken'>;
  /**
   * Adds tasks to a queue, also to one whose tasks were kept, as they are given: state, counters,
   * times, fence, rank and ended attempts. None of them may be live. One answer per task.
   *
   * Each comes whole, with its attempts, and in the order given, but not all in one step: when
   * the call fails, the first of them may be there. `there`: a task with this id is, in whatever
   * queue. `key-taken`: another task of the queue has its key. Both change nothing. `unique` is not
   * looked at. `missing-queue`: unknown or hidden; nothing was added.
   *
   * An external task that is queued runs at once, as in `submit`. The claims of its attempts
   * count towards the queue's rates, by the keys that its params say.
   */
  putTasks(put: TaskPut, step: Step): Promise<readonly PutAnswer[] | 'missing-queue'>;
  /**
   * Adds chunks of an attempt as they are given, in one step or in their order; a chunk whose
   * number is there is left as it is. `missing`: the namespace has no such task; nothing is kept.
   */
  putOutput(put: OutputPut, step: Step): Promise<'kept' | 'missing'>;
}

export interface ArchivedQueue {
  readonly queue: Queue;
  /** It was deleted, and its tasks were kept. */
  readonly isDeleted: boolean;
}

export interface ArchivedTask {
  readonly task: Task;
  readonly rank: Uint8Array;
  readonly uniqueKey: string | null;
  /** Those that have ended, by fence. */
  readonly attempts: readonly Attempt[];
  /** Fences of its attempts, the live one too, that have output, in order; not looked at by `putTasks`. */
  readonly outputFences: readonly number[];
}

export interface ArchivedToken {
  readonly token: AccessToken;
  readonly hash: Uint8Array;
}

export interface ArchiveQuery {
  readonly namespace: string;
  readonly queueId: QueueId;
  readonly after: TaskId | null;
  readonly limit: number;
  readonly limitBytes: number;
}

export interface TaskPut {
  readonly namespace: string;
  readonly queueId: QueueId;
  readonly tasks: readonly ArchivedTask[];
}

export type PutAnswer = 'put' | 'there' | 'key-taken';

export interface OutputPut {
  readonly namespace: string;
  readonly taskId: TaskId;
  readonly fence: number;
  readonly chunks: readonly OutputChunk[];
}
