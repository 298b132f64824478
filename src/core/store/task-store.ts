import type { QueueId, TaskId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Page } from '../domain/page.ts';
import type { HoldReason, OperatorMove, Task, TaskState } from '../domain/task.ts';
import type { Mutation, Step } from './step.ts';

/**
 * `updatedAt` of a task is the now of the last step that changed what it shows; a lease that moved is
 * no such change.
 *
 * A task that waits counts for its queue's keyed limits by what its params say now
 * (rules/limit-keys.ts). A live one counts by what they said when it was claimed, or when the queue's
 * limits last changed.
 */
export interface TaskStore {
  /**
   * Adds tasks to a queue, all or none, in the order given.
   *
   * A task whose key stands in the queue already is, as `onConflict` says:
   * replaced (params, result, priority, notBefore and labels are the new ones; a waiting,
   * held or live task stays what it is, a finished one waits again with its history
   * kept and its counters at 0), skipped, or reason to refuse the whole call. The
   * same holds for `unique` within its scope, where `replace` applies to waiting tasks
   * only and otherwise skips. A key twice in one call: the later one meets the earlier.
   *
   * More of `replace`: `result` becomes null, for NewTask has none. The new notBefore of
   * a task that waits delays or readies it as `edit` does. A finished one is as new, but for
   * id, key, createdAt, lastOutcome and its attempts; its fence is raised by one.
   *
   * `unique` looks at the tasks of the queue with that unique key: those that wait (queued,
   * delayed, held), those not ended, or all, as the new task's scope says; it meets the one
   * with the lowest id. A key is looked at first.
   */
  submit(submission: Submission, step: Mutation): Promise<SubmitAnswer>;
  /**
   * `submit` as part of a transaction that the caller has open on the store's own database: the tasks
   * are there once it commits, and never when it is rolled back. Only of stores that can join one.
   * `invalid`: `tx` is no such thing, and nothing was done.
   */
  submitIn?(
    tx: unknown,
    submission: Submission,
    step: Mutation,
  ): Promise<SubmitAnswer | { readonly status: 'invalid'; readonly problem: string }>;
  /** The task as of now, or null: unknown, deleted, or of another namespace. */
  find(namespace: string, id: TaskId, step: Step): Promise<Task | null>;
  /**
   * Tasks as they are stored, one answer per id: nothing that is due is dealt with first, so a
   * lease that ran out but was not detached is still there.
   */
  peek(namespace: string, ids: readonly TaskId[]): Promise<readonly (Task | null)[]>;
  findByKey(queueId: QueueId, key: Uint8Array, step: Step): Promise<Task | null>;
  /**
   * Tasks that match, as of now, in order of id or key, from `after` on (exclusive). By key:
   * only tasks that have one; meant for one queue, since keys repeat across queues.
   * A page may hold fewer than `limit` and still have a `next`, where few match:
   * the work of one call is bounded.
   */
  list(namespace: string, query: TaskQuery, step: Step): Promise<Page<Task>>;
  /**
   * An operator's move (domain OPERATOR_MOVES) on each task, one answer per id in
   * order. `requested`: the node was asked to stop. A move out of `claimed` ends
   * the attempt. `retry` sets the counters of tries and losses to 0 and clears
   * result, error, code and a request to cancel; an external task that is running is
   * terminated by `cancel` at once. Every move raises the fence by one but `request`, which
   * keeps the instant of the first request.
   *
   * `cancel` ends an attempt as `cancelled`, uncounted, without error or code. `hold` holds as
   * `operator`. `retry` also forgets notBefore and, from a final state, gives the rank of
   * the task's own id and key. Where `waiting` is, rules/waiting-place.ts says.
   */
  move(move: MoveStep, step: Mutation): Promise<readonly MoveAnswer[]>;
  /**
   * Changes fields of tasks in any state. One answer per id. A `notBefore` ahead delays a
   * queued task or one held for admission; one not ahead puts a delayed task where it waits
   * (rules/waiting-place.ts). Held for another reason, live or ended, it stays so. Place (but for
   * priority) and fence stay.
   */
  edit(edit: EditStep, step: Mutation): Promise<readonly (Task | null)[]>;
  /** Deletes tasks with attempts and output; unknown ids do not count. Live attempts lose their lease. */
  delete(deletion: DeleteStep, step: Mutation): Promise<number>;
  /** Deletes at most `limit` finished tasks of a queue that ended before an instant, oldest end first; says how many. */
  purge(purge: PurgeStep, step: Step): Promise<number>;
  /** Where a queued task stands as of now; null unless it is queued in a queue that is there. */
  position(id: TaskId, limit: number, step: Step): Promise<Position | null>;
}

export const UNIQUE_SCOPES = ['waiting', 'unfinished', 'forever'] as const;
export type UniqueScope = (typeof UNIQUE_SCOPES)[number];
export type OnConflict = 'replace' | 'skip' | 'refuse';

export interface NewTask {
  readonly id: TaskId;
  readonly key: Uint8Array | null;
  readonly params: Json;
  readonly priority: number;
  readonly notBefore: Date | null;
  /** Counted from the step's now, and then notBefore is that instant; null: see `notBefore`. */
  readonly delayMs: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly hold: HoldReason | null;
  /**
   * Is never queued: where another task would be, it is running at once, without a lease, in an
   * attempt of node "" under the next fence, which counts as a claim. No limit stops it, but it counts against them.
   */
  readonly external: boolean;
  /** Decides the place within the queue and priority, bytewise, then the id does (rules/rank.ts). */
  readonly rank: Uint8Array;
  readonly unique: { readonly key: string; readonly scope: UniqueScope } | null;
}

export interface Submission {
  readonly queueId: QueueId;
  readonly tasks: readonly NewTask[];
  readonly onConflict: OnConflict;
}

export type SubmitAnswer =
  | { readonly status: 'submitted'; readonly tasks: readonly Submitted[] }
  | { readonly status: 'missing-queue' }
  /** The task at `index` met task `id`; nothing was added. */
  | { readonly status: 'refused'; readonly index: number; readonly id: TaskId };

export interface Submitted {
  readonly id: TaskId;
  readonly outcome: 'created' | 'replaced' | 'skipped';
}

/** All of what is given must hold; an empty list holds for no task. */
export interface TaskFilter {
  readonly queueIds?: readonly QueueId[];
  readonly states?: readonly TaskState[];
  readonly ids?: readonly TaskId[];
  readonly keys?: readonly Uint8Array[];
  /** All of these labels, with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Who has the live attempt. */
  readonly node?: string;
  readonly hold?: HoldReason;
  /** Neither instant itself. */
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  /** Text somewhere in the key, the error or the params as JSON.stringify writes them; upper and lower case differ. */
  readonly search?: string;
}

export interface TaskQuery extends TaskFilter {
  readonly sort: 'id' | 'key';
  readonly direction: 'asc' | 'desc';
  /** The id, or the key in hex, of the last task of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

export interface Position {
  /** Tasks of its queue that are claimed before it, counted up to `limit`. */
  readonly ahead: number;
  /** Names of the queue's keyed limits that are used up for this task's keys. */
  readonly fullLimits: readonly string[];
}

export interface MoveStep {
  readonly namespace: string;
  readonly ids: readonly TaskId[];
  readonly move: OperatorMove;
  /** Tasks in other states are left alone (`refused`). */
  readonly onlyStates?: readonly TaskState[];
}

export interface MoveAnswer {
  readonly id: TaskId;
  readonly status: 'moved' | 'requested' | 'refused' | 'missing';
  /** The state after the step; null when missing. */
  readonly state: TaskState | null;
}

export interface EditStep {
  readonly namespace: string;
  readonly ids: readonly TaskId[];
  readonly change: TaskChange;
}

export interface TaskChange {
  readonly priority?: number;
  /** Added to the priority, after `priority`. */
  readonly priorityBy?: number;
  readonly params?: Json;
  readonly notBefore?: Date | null;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface DeleteStep {
  readonly namespace: string;
  readonly ids: readonly TaskId[];
  readonly onlyStates?: readonly TaskState[];
}

export interface PurgeStep {
  readonly queueId: QueueId;
  readonly states: readonly TaskState[];
  readonly endedBefore: Date;
  readonly limit: number;
}
