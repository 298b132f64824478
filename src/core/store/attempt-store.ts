import type { Attempt, AttemptOutcome, Claim } from '../domain/attempt.ts';
import type { QueueId, TaskId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Page } from '../domain/page.ts';
import type { HoldReason, TaskState } from '../domain/task.ts';
import type { Step } from './step.ts';
import type { NewTask, OnConflict } from './task-store.ts';

/** Items name tasks of the namespace given; a task of another one is answered as unknown (`lost`). */
export interface AttemptStore {
  /**
   * Gives queued tasks to a node, each to one, however many ask at once.
   *
   * First expires leases and readies delayed tasks that are due (at most 1,000 of
   * each). Then takes from each pick in turn, at most `count`, by priority and rank;
   * paused and deleted queues, node rules (nodesOnly, nodesNot), the queue's limits, the
   * node's limit and wish and keyed limits are checked again inside the step, so it may
   * give fewer. A task beyond a keyed limit is passed over for the next. A claim raises the
   * fence and `claimCount` by one. Never more than `limit` in all, and the claims come in
   * the order taken. A node that never sent a heartbeat has no limit and no wish.
   *
   * A rate (`perMs`) counts the claims of tasks with that key later than now − perMs,
   * whatever became of them.
   *
   * With a `token` seen before (within the lease), it claims nothing new and gives
   * those claims of that call again that are still held, as they are now: so a repeated call
   * after an unknown outcome is safe. A token is the node's own in its namespace; it is
   * remembered until the last lease that call gave would have ended, and not at all when
   * the call gave nothing.
   */
  claim(request: ClaimStep, step: Step): Promise<Claim[]>;
  /**
   * Gives one waiting task to a node, whatever its place. With `force` even if it is
   * delayed, held, beyond a limit or in a paused queue. With `assignedVersion`, only
   * while the node's is still that; it then grows by one and `assignedAt` is now.
   *
   * In this order: `missing`; `not-waiting`: live or ended; `outrun`: the node is at another
   * version or unknown; `refused`: what keeps it, of which the queue being gone, node rules
   * and the node's wish are not overcome by force.
   */
  claimTask(request: ClaimTaskStep, step: Step): Promise<ClaimTaskAnswer>;
  /**
   * Makes a task of a continuous queue, already claimed, if the queue is still
   * continuous, not paused, at `expectedNextAt`, has nothing queued and nothing live,
   * and its time has come; null otherwise. `nextContinuousAt` becomes now + interval.
   * A finished task that has this key already is replaced and claimed instead; a delayed or
   * held one: null. Node rules, wish and all limits hold as for `claim`. The queue's revision
   * stays. A `token` works as in `claim`, which shares its memory: seen before, the claim
   * it got is given again while it is held.
   */
  claimContinuous(request: ClaimContinuousStep, step: Step): Promise<Claim | null>;
  /**
   * Claimed becomes running, once. One answer per item, in order; `cancelled`: do not start, it was
   * asked to stop. A fence of null means whichever attempt is live, here and below.
   */
  start(
    namespace: string,
    items: readonly AttemptRef[],
    step: Step,
  ): Promise<readonly HoldAnswer[]>;
  /**
   * Moves the lease to now + `leaseMs` and, when given, keeps `data` as the task's
   * result so far. Works while the fence is good, even past the lease's end: expired
   * is not lost until somebody detached it. `leaseMs` ≤ 0 ends it at once, as expiry does,
   * and is answered `lost`. An external task's attempt keeps being without a lease.
   */
  renew(namespace: string, items: readonly RenewItem[], step: Step): Promise<readonly HoldAnswer[]>;
  /**
   * Ends attempts, all in one step, each with everything it causes: the ended attempt,
   * the task's next state, emitted tasks, counters. One answer per item, in order.
   *
   * `applied`: it was this call. `repeated`: this fence had ended with this outcome, or said
   * it late, already; nothing changed. `late`: it had ended otherwise (its lease was lost) and the
   * word was kept on the attempt, once; nothing else changed — but a failed or orphaned
   * task whose last attempt reports success late becomes succeeded with its emissions, and that is
   * `applied`: result, error, code and lastOutcome are then the late ones, counters stay.
   * `lost`: no such attempt, or it has another late word already. A fence of null
   * means whichever attempt is live, by whoever asks.
   *
   * A task that was asked to cancel never goes back to waiting: where `next` says
   * queued or held, it becomes `terminated`. Emissions into a queue that is gone, or of
   * another namespace, are dropped; the others come after the task's own move, and meet tasks as `submit` does.
   *
   * Queued means as rules/waiting-place.ts says, not before the later of the task's notBefore and
   * now + `delayMs`. Counters: `counted` adds to tryCount, outcome `orphaned` to lossCount,
   * `continued` to roundCount. The fence stays.
   */
  settle(
    namespace: string,
    items: readonly Settlement[],
    step: Step,
  ): Promise<readonly SettleAnswer[]>;
  /**
   * Ends attempts whose lease ran out (at its end, not after it) and readies due delayed tasks,
   * the earliest first, at most `limit` of each. rules/after-loss.ts says what becomes of a
   * task, by the settings of its queue even when that is gone. A loss is an `orphaned` attempt
   * with the data reported so far, without error or code, counted as try and as loss.
   */
  expireDue(step: Step & { readonly limit: number }): Promise<{ expired: number; readied: number }>;
  /** The earliest instant at which `expireDue` has something to do in the namespace; null: nothing ahead. */
  nextDue(namespace: string): Promise<Date | null>;
  /** All attempts of a task by fence, the live one last; [] when unknown. As of now. */
  list(namespace: string, taskId: TaskId, step: Step): Promise<Attempt[]>;
  /** A node's attempts as of now: the live ones, or the ended ones, newest end first. */
  listByNode(namespace: string, query: NodeAttemptQuery, step: Step): Promise<Page<Attempt>>;
}

export interface AttemptRef {
  readonly taskId: TaskId;
  readonly fence: number | null;
}

export interface ClaimStep {
  readonly namespace: string;
  readonly node: string;
  /** Names this call, so that it can be repeated; null when the caller never repeats. */
  readonly token: string | null;
  readonly picks: readonly { readonly queueId: QueueId; readonly count: number }[];
  readonly limit: number;
  /** running at once, else claimed. */
  readonly start: boolean;
  /** null: the queue's. */
  readonly leaseMs: number | null;
}

export interface ClaimTaskStep {
  readonly namespace: string;
  readonly taskId: TaskId;
  readonly node: string;
  readonly start: boolean;
  readonly leaseMs: number | null;
  readonly force: boolean;
  readonly assignedVersion: number | null;
}

export type ClaimTaskAnswer =
  | { readonly status: 'claimed'; readonly claim: Claim }
  | { readonly status: 'missing' | 'not-waiting' | 'refused' | 'outrun' };

export interface ClaimContinuousStep {
  readonly queueId: QueueId;
  readonly token: string | null;
  readonly expectedNextAt: Date | null;
  readonly task: NewTask;
  readonly node: string;
  readonly start: boolean;
  readonly leaseMs: number | null;
}

export interface RenewItem extends AttemptRef {
  readonly leaseMs: number;
  /** undefined keeps what was there. */
  readonly data?: Json;
}

export interface HoldAnswer {
  readonly taskId: TaskId;
  /** The live attempt's; with status `lost`, the one asked for (0 when none was named and none is live). */
  readonly fence: number;
  /** `cancelled`: still held, and asked to stop. `lost`: stop, and write nothing more. */
  readonly status: 'held' | 'cancelled' | 'lost';
  readonly expiresAt: Date | null;
}

/** Where a task goes when its attempt ends. */
export interface Next {
  readonly state: Exclude<TaskState, 'delayed' | 'claimed' | 'running'>;
  /** With state queued: at least this long from now. */
  readonly delayMs: number;
  /** With state held; null stands for `operator`. */
  readonly hold: HoldReason | null;
}

export interface Settlement extends AttemptRef {
  readonly outcome: AttemptOutcome;
  readonly next: Next;
  /** Whether it counts towards maxAttempts. */
  readonly counted: boolean;
  /** The task's result; undefined keeps what `renew` reported. Dropped when the task waits again. */
  readonly data?: Json;
  readonly error: string | null;
  readonly code: number | null;
  readonly emit: readonly Emission[];
  /** With outcome `continued`: a new place in the queue and, if given, new params. */
  readonly again: { readonly rank: Uint8Array; readonly params?: Json } | null;
}

export interface Emission {
  readonly queueId: QueueId;
  readonly task: NewTask;
  readonly onConflict: Exclude<OnConflict, 'refuse'>;
}

export interface SettleAnswer {
  readonly taskId: TaskId;
  readonly fence: number;
  readonly status: 'applied' | 'repeated' | 'late' | 'lost';
  /** The task's state after the step; null when the task is gone. */
  readonly state: TaskState | null;
}

export interface NodeAttemptQuery {
  readonly node: string;
  readonly live: boolean;
  readonly after: string | null;
  readonly limit: number;
}
