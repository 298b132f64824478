import type { Attempt, Claim } from '../domain/attempt.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { TaskKey } from '../domain/key.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import type { Queue } from '../domain/queue.ts';
import type { HoldAnswer, SettleAnswer } from '../store/attempt-store.ts';

export interface AttemptOperations {
  /**
   * Tasks for a node, each given to one node only; none is a normal answer. Queues are
   * chosen by priority, then by weight; within a queue by priority, then its order. Fills
   * up from several queues unless `oneQueue`. With `waitMs` it waits for work that long.
   * Repeated with the same `token`, it gives the claims of the first call that are still held.
   */
  claim(request: ClaimRequest): Promise<ClaimAnswer>;
  /** One named task for a node. TASK_NOT_FOUND; TASK_STATE when it is not waiting or may not be claimed now. */
  claimTask(id: TaskId, request: ClaimTaskRequest): Promise<Claim>;
  /**
   * Gives one waiting task to the least loaded of the candidates (then to the one least
   * recently assigned), evenly however many dispatchers ask; null when none is live and free.
   */
  assign(id: TaskId, request: AssignRequest): Promise<{ node: string; claim: Claim } | null>;
  /** Claimed becomes running; one answer per item. `cancelled`: do not begin. */
  start(items: readonly HeldItem[]): Promise<HoldAnswer[]>;
  /** Keeps leases; one answer per item says whether it is still held and whether to stop. */
  renew(items: readonly RenewRequest[]): Promise<HoldAnswer[]>;
  /**
   * Ends attempts with their results, all in one step; one answer per item, in order. What a
   * result causes (retry, emitted tasks, continuation) is decided here. A lost lease is an
   * answer (`late` or `lost`), not an error. Repeating is safe.
   */
  settle(items: readonly SettleRequest[]): Promise<SettleAnswer[]>;
  /** All attempts of a task, by fence, the live one last. TASK_NOT_FOUND. */
  list(taskId: TaskId): Promise<Attempt[]>;
  /** A node's attempts: live ones, or ended ones with the newest first. */
  listByNode(node: string, page?: PageRequest & { live?: boolean }): Promise<Page<Attempt>>;
}

export interface ClaimRequest {
  readonly node: string;
  readonly limit?: number;
  /** Only these queues; unknown names are ignored; [] is no restriction. */
  readonly queues?: readonly string[];
  readonly queuesNot?: readonly string[];
  /** Only queues of these runtimes; not said: any. */
  readonly runtimes?: readonly string[];
  /** Only queues whose handler is among these; not said: any. */
  readonly handlers?: readonly string[];
  /** Whether queues with a program are wanted; not said: yes. */
  readonly programs?: boolean;
  readonly oneQueue?: boolean;
  readonly leaseMs?: number;
  /** Running at once (default), or claimed until `start`. */
  readonly start?: boolean;
  readonly waitMs?: number;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

export interface ClaimAnswer {
  readonly claims: readonly Claim[];
  /** The queues they come from, by name. */
  readonly queues: Readonly<Record<string, Queue>>;
}

export interface ClaimTaskRequest {
  readonly node: string;
  readonly leaseMs?: number;
  readonly start?: boolean;
  /** Even if delayed, held, paused or beyond a limit. */
  readonly force?: boolean;
}

export interface AssignRequest {
  readonly candidates: readonly string[];
  readonly leaseMs?: number;
  readonly start?: boolean;
}

/** `fence` null means whichever attempt is live: for callers that have none. */
export interface HeldItem {
  readonly taskId: TaskId;
  readonly fence: number | null;
}

export interface RenewRequest extends HeldItem {
  /** Not said: the queue's. 0 or less gives the task up as if the lease had run out. */
  readonly leaseMs?: number;
  /** What is known so far; not said: unchanged. */
  readonly data?: Json;
}

/** How an attempt may end by its holder's word. */
export const SETTLE_OUTCOMES = [
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'released',
  'orphaned',
] as const;
export type SettleOutcome = (typeof SETTLE_OUTCOMES)[number];

export interface SettleRequest extends HeldItem {
  readonly outcome: SettleOutcome;
  /** With success: the result. With failure: what is known. Not said: what `renew` reported stays. */
  readonly output?: Json;
  readonly error?: string | null;
  readonly code?: number | null;
  /** With failure: do not try again. */
  readonly final?: boolean;
  /** With failure or release: wait at least this long. Not said: the queue's retry policy, or at once. */
  readonly delayMs?: number;
  /** Tasks to add in the same step, if this settlement is the one that counts. */
  readonly emit?: readonly EmitRequest[];
  /** With success: not the end; go to the back of the queue and run again. */
  readonly again?: { readonly delayMs?: number; readonly params?: Json };
}

export interface EmitRequest {
  /** Not said: the queue's `nextQueue`; without one, the emission is dropped. */
  readonly queue?: string;
  readonly key?: TaskKey | null;
  readonly params?: Json;
  readonly priority?: number;
  readonly delayMs?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** When the key is there already: replace (default) or skip. */
  readonly onConflict?: 'replace' | 'skip';
}
