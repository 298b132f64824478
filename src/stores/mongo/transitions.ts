/** How a task goes from state to state. Every step that changes tasks is made of these. */
import {
  type AttemptOutcome,
  afterLoss,
  type HoldReason,
  limitKeysOf,
  type Next,
  type StoreChange,
  type TaskState,
  waitingPlace,
} from '../../core/store/index.ts';
import type { LiveRecord, TaskRecord } from './task-record.ts';

/** A claim that counts towards a rate. */
export interface RateStart {
  readonly queueId: string;
  readonly name: string;
  readonly key: string;
  readonly at: number;
  readonly perMs: number;
}

/** One step: its instant, and what it will tell others. */
export interface Work {
  readonly now: number;
  /** Of a step under an idempotency key: the same when it is run again after a crash. */
  readonly run: OnceRun | null;
  readonly changes: StoreChange[];
  readonly starts: RateStart[];
}

export interface OnceRun {
  /** Marks what the step has changed. */
  readonly name: string;
  /** Keeps a value, or gives the one that was kept when the step was run before. */
  keep<Value>(value: Value): Promise<Value>;
}

export function createWork(now: number, run: OnceRun | null = null): Work {
  return { now, run, changes: [], starts: [] };
}

export function isWaiting(state: TaskState): boolean {
  return state === 'queued' || state === 'delayed' || state === 'held';
}

function setState(task: TaskRecord, to: TaskState, hold: HoldReason | null = null): void {
  task.state = to;
  task.hold = hold;
}

function touch(task: TaskRecord, { now }: Work): void {
  task.updatedAt = now;
  task.renewedAt = null;
}

function tell({ changes }: Work, kind: 'ready' | 'ended', { queue }: TaskRecord): void {
  changes.push({ kind, namespace: queue.namespace, queueId: queue.id });
}

/** What the task's params say now, for the queue's keyed limits. */
export function keysOf({ queue, params }: TaskRecord): readonly string[] {
  const { limits } = queue.settings;
  return limits.length === 0 ? [] : limitKeysOf(limits, params);
}

export interface Beginning {
  readonly node: string;
  readonly start: boolean;
  readonly expiresAt: number | null;
  readonly call: string | null;
}

export function beginAttempt(work: Work, task: TaskRecord, beginning: Beginning): LiveRecord {
  const { node, start, expiresAt, call } = beginning;
  const { now } = work;
  const limitKeys = keysOf(task);
  task.fence += 1;
  task.claimCount += 1;
  task.live = { node, claimedAt: now, startedAt: start ? now : null, expiresAt, call, limitKeys };
  task.node = node;
  task.wrote = false;
  setState(task, start ? 'running' : 'claimed');
  touch(task, work);
  for (const [slot, { name, perMs }] of task.queue.settings.limits.entries()) {
    if (perMs === null) continue;
    work.starts.push({ queueId: task.queue.id, name, key: limitKeys[slot] ?? '', at: now, perMs });
  }
  return task.live;
}

export function startAttempt(work: Work, task: TaskRecord, live: LiveRecord): void {
  if (task.state !== 'claimed') return;
  live.startedAt = work.now;
  touch(task, work);
  setState(task, 'running');
}

export interface Ending {
  readonly outcome: AttemptOutcome;
  /** JSON text; undefined: what the attempt reported so far. */
  readonly data?: string;
  readonly error: string | null;
  readonly code: number | null;
}

/** Ends the live attempt; the caller says at once where the task goes. */
export function endAttempt(work: Work, task: TaskRecord, end: Ending): void {
  if (task.live === null) throw new Error(`Task ${task.id} has no live attempt to end.`);
  const { call: _, limitKeys: __, ...live } = task.live;
  const { outcome, data = task.result, error, code } = end;
  const fence = task.fence;
  task.ended.push({ ...live, fence, endedAt: work.now, outcome, data, error, code, late: null });
  task.live = null;
  task.result = data;
  task.error = error;
  task.code = code;
  task.lastOutcome = outcome;
  tell(work, 'ready', task); // room for another
}

export function finish(work: Work, task: TaskRecord, to: TaskState): void {
  setState(task, to);
  task.endedAt = work.now;
  touch(task, work);
  tell(work, 'ended', task);
}

export function hold(work: Work, task: TaskRecord, reason: HoldReason): void {
  setState(task, 'held', reason);
  waitWithout(task);
  touch(task, work);
}

function waitWithout(task: TaskRecord): void {
  task.result = 'null';
  task.endedAt = null;
  task.node = null;
}

/** An external task is never queued: it runs instead. */
export function enqueue(work: Work, task: TaskRecord): void {
  setState(task, 'queued');
  touch(task, work);
  tell(work, 'ready', task);
  if (task.external) {
    beginAttempt(work, task, { node: '', start: true, expiresAt: null, call: null });
  }
}

/** Where it waits its own time and its queue's gate say. */
export function letWait(work: Work, task: TaskRecord): void {
  const notBefore = task.notBefore === null ? null : new Date(task.notBefore);
  const place = waitingPlace(task.queue.settings, notBefore, new Date(work.now));
  waitWithout(task);
  if (place.state === 'queued') enqueue(work, task);
  else setState(task, place.state, place.hold);
  touch(task, work);
}

/** After a change of notBefore: an admitted task stays admitted, but for one that is delayed. */
export function waitAnew(work: Work, task: TaskRecord): void {
  const ahead = task.notBefore !== null && task.notBefore > work.now;
  const ready = task.state === 'queued' || task.hold === 'admission';
  if ((ready && ahead) || task.state === 'delayed') letWait(work, task);
}

/** Where a task goes whose attempt has just ended. */
export function follow(work: Work, task: TaskRecord, next: Next): void {
  const waits = next.state === 'queued' || next.state === 'held';
  if (waits && task.cancelRequestedAt !== null) finish(work, task, 'terminated');
  else if (next.state === 'held') hold(work, task, next.hold ?? 'operator');
  else if (next.state === 'queued') {
    if (next.delayMs > 0) task.notBefore = Math.max(task.notBefore ?? 0, work.now + next.delayMs);
    letWait(work, task);
  } else finish(work, task, next.state);
}

export function lose(work: Work, task: TaskRecord): void {
  const { cancelRequestedAt, tryCount, lossCount, queue } = task;
  const requested = cancelRequestedAt === null ? null : new Date(cancelRequestedAt);
  const next = afterLoss({ tryCount, lossCount, cancelRequestedAt: requested }, queue.settings);
  endAttempt(work, task, { outcome: 'orphaned', error: null, code: null });
  task.tryCount += 1;
  task.lossCount += 1;
  follow(work, task, next);
}

/** When somebody must look at it, and why. */
export function dueAt({ live, state, notBefore }: TaskRecord): number | null {
  if (live) return live.expiresAt;
  return state === 'delayed' ? notBefore : null;
}
