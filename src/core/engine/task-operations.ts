import type { TaskId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { TaskKey } from '../domain/key.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import type { HoldReason, Task, TaskState } from '../domain/task.ts';
import type { OnConflict, Submitted, TaskChange, UniqueScope } from '../store/task-store.ts';
import type { Repeatable } from './repeatable.ts';

export interface TaskOperations {
  /**
   * Adds tasks, all or none, durable when it resolves; answers in order. QUEUE_NOT_FOUND;
   * TASK_EXISTS with `onConflict: 'refuse'` (the default).
   *
   * With `tx`, a connection on which the caller has a transaction open, they are added in that: they
   * are there once it commits. Only in process, on a store that can (PostgreSQL: a client of `pg`);
   * INVALID_REQUEST elsewhere.
   */
  submit(
    queue: string,
    tasks: readonly TaskSubmission[],
    options?: Repeatable & { onConflict?: OnConflict; tx?: unknown },
  ): Promise<Submitted[]>;
  find(id: TaskId): Promise<Task | null>;
  /** TASK_NOT_FOUND. */
  get(id: TaskId): Promise<Task>;
  /** QUEUE_NOT_FOUND. */
  findByKey(queue: string, key: TaskKey): Promise<Task | null>;
  /** Newest first unless said otherwise. A page may be short and still have a `next`. QUEUE_NOT_FOUND. */
  list(filter?: TaskSelection, page?: TaskPageRequest): Promise<Page<Task>>;
  /** Changes one task; the others' methods below likewise answer the task as it is then. TASK_NOT_FOUND. */
  edit(id: TaskId, change: TaskEdit, options?: Repeatable): Promise<Task>;
  /** Waiting: cancelled. Running: its node stops it, and it is `terminated` once its processes are gone. TASK_STATE when it has ended. */
  cancel(id: TaskId, options?: Repeatable): Promise<Task>;
  /** Puts an ended task back in its queue with fresh tries, or a delayed one to the front of time. TASK_STATE. */
  retry(id: TaskId, options?: Repeatable): Promise<Task>;
  hold(id: TaskId, options?: Repeatable): Promise<Task>;
  release(id: TaskId, options?: Repeatable): Promise<Task>;
  delete(id: TaskId, options?: Repeatable): Promise<void>;
  /**
   * One action on all tasks that match as the call meets them. An empty filter is
   * refused unless `all` is said. With `dryRun` it only counts. Work goes in steps; a
   * repeated call under the same key goes on where it stood.
   */
  bulk(request: BulkRequest, options?: Repeatable): Promise<BulkAnswer>;
  /** Why a task is not running, in words, by the rules that claim. TASK_NOT_FOUND. */
  why(id: TaskId): Promise<WhyAnswer>;
  /** Resolves when all tasks that match have ended, or after `timeoutMs` with what is left. */
  wait(request: WaitRequest): Promise<WaitAnswer>;
}

export interface TaskSubmission {
  readonly key?: TaskKey | null;
  readonly params?: Json;
  readonly priority?: number;
  readonly notBefore?: Date | null;
  /** Instead of notBefore: counted from when it is taken in. */
  readonly delayMs?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly hold?: boolean;
  readonly external?: boolean;
  /** At most one task of this key: while one waits, is unfinished, or for ever. */
  readonly unique?: { readonly key: string; readonly while?: UniqueScope };
}

export interface TaskSelection {
  readonly queues?: readonly string[];
  readonly states?: readonly TaskState[];
  readonly ids?: readonly TaskId[];
  readonly keys?: readonly TaskKey[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly hold?: HoldReason;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly search?: string;
}

export interface TaskPageRequest extends PageRequest {
  readonly sort?: 'id' | 'key';
  readonly direction?: 'asc' | 'desc';
}

/** What can be changed of a task. */
export type TaskEdit = TaskChange;

export const BULK_ACTIONS = ['cancel', 'retry', 'hold', 'release', 'delete', 'edit'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: TaskSelection;
  readonly change?: TaskEdit;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

export interface BulkAnswer {
  /** Tasks the filter met. */
  readonly matched: number;
  /** Those the action changed; the rest were in a state that refuses it. 0 with `dryRun`. */
  readonly changed: number;
}

export interface WhyAnswer {
  readonly state: TaskState;
  readonly reasons: readonly WhyReason[];
}

export interface WhyReason {
  readonly code: string;
  readonly text: string;
}

export interface WaitRequest {
  readonly filter: TaskSelection;
  readonly timeoutMs: number;
}

export interface WaitAnswer {
  readonly done: boolean;
  /** Matching tasks not ended yet, counted up to 100,000. */
  readonly unfinished: number;
}
