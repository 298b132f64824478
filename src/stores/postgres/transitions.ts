/** How a task goes from state to state: on a row in memory, with its counters. */
import { afterLoss, type Next, waitingPlace } from '../../core/store/index.ts';
import {
  CLAIMED,
  DELAYED,
  HELD,
  HELD_FOR_ADMISSION,
  isLiveCode,
  QUEUED,
  RUNNING,
  SUCCEEDED,
  TERMINATED,
  toHoldCode,
  toOutcomeCode,
  toStateCode,
} from './codes.ts';
import { fromLimitKeys, toLimitKeys } from './keyed-limits.ts';
import type { TaskRow } from './rows.ts';
import { toDate, toQuoted } from './values.ts';
import { countMove, entryOf, markChanged, placeOf, type Work } from './work.ts';

/** The only way a task changes its state, so that counters move with it. */
function setState(work: Work, task: TaskRow, state: number, hold: number | null = null): void {
  countMove(work, task.queue, task.state, state);
  task.state = state;
  task.hold = hold;
  markChanged(work, task);
}

export interface Beginning {
  /** The node's row. */
  readonly node: number;
  readonly start: boolean;
  /** null: without a lease. */
  readonly expiresAt: number | null;
  /** The claim call's number, when it had a token. */
  readonly claim: number | null;
}

export function beginAttempt(
  work: Work,
  task: TaskRow,
  { node, start, expiresAt, claim }: Beginning,
): void {
  const { now, starts } = work;
  const { queue } = entryOf(work, task);
  task.fence += 1;
  task.claimCount += 1;
  Object.assign(task, { node, claim, expiresAt, claimedAt: now, startedAt: start ? now : null });
  setState(work, task, start ? RUNNING : CLAIMED);
  task.updatedAt = now;
  const keys = fromLimitKeys(task.limitKeys);
  for (const [slot, { name, perMs }] of queue.limits.entries()) {
    if (perMs === null) continue;
    starts.push({ queue: task.queue, name, key: keys[slot] ?? '', until: now + perMs });
  }
}

export function startAttempt(work: Work, task: TaskRow): void {
  setState(work, task, RUNNING);
  task.startedAt = work.now;
  task.updatedAt = work.now;
}

export interface Ending {
  readonly outcome: number;
  /** Absent: what the attempt reported so far. */
  readonly data?: string | null;
  /** Quoted. */
  readonly error: string | null;
  readonly code: number | null;
}

/** Ends the live attempt; the caller says at once where the task goes. */
export function endAttempt(
  work: Work,
  task: TaskRow,
  { outcome, data = task.result, error, code }: Ending,
): void {
  const { id, fence, node, claimedAt, startedAt, expiresAt } = task;
  if (node === null || claimedAt === null || !isLiveCode(task.state)) {
    throw new Error(`Task ${id} is not live.`);
  }
  const times = { claimedAt, startedAt, expiresAt };
  work.ended.push({ task: id, fence, node, ...times, outcome, code, error, data });
  Object.assign(task, { node: null, claim: null, claimedAt: null });
  Object.assign(task, { startedAt: null, expiresAt: null });
  Object.assign(task, { result: data, error, code, lastOutcome: outcome });
  tellReady(work, task); // there may be room now
}

export function finish(work: Work, task: TaskRow, state: number): void {
  setState(work, task, state);
  task.endedAt = work.now;
  task.updatedAt = work.now;
  work.notes.note('ended', placeOf(entryOf(work, task)));
}

export function hold(work: Work, task: TaskRow, reason: number): void {
  setState(work, task, HELD, reason);
  task.limitKeys = keysNow(work, task);
  task.result = null;
  task.endedAt = null;
  task.updatedAt = work.now;
}

function keysNow(work: Work, task: TaskRow): string | null {
  const { queue } = entryOf(work, task);
  return queue.limits.length === 0 ? null : toLimitKeys(queue.limits, JSON.parse(task.params));
}

/** An external task is never queued: it runs instead. */
export function enqueue(work: Work, task: TaskRow): void {
  setState(work, task, QUEUED);
  task.updatedAt = work.now;
  tellReady(work, task);
  if (!task.external) return;
  const node = entryOf(work, task).externalNode;
  beginAttempt(work, task, { node, start: true, expiresAt: null, claim: null });
}

/** Where it waits its own time and its queue's gate say. */
export function letWait(work: Work, task: TaskRow): void {
  const { queue } = entryOf(work, task);
  const place = waitingPlace(queue, toDate(task.notBefore), new Date(work.now));
  task.result = null;
  task.endedAt = null;
  task.limitKeys = keysNow(work, task);
  if (place.state === 'queued') {
    enqueue(work, task);
    return;
  }
  const reason = place.hold === null ? null : toHoldCode(place.hold);
  setState(work, task, toStateCode(place.state), reason);
  task.updatedAt = work.now;
}

/** After a change of notBefore: an admitted task stays admitted, but for one that is delayed. */
export function waitAnew(work: Work, task: TaskRow): void {
  const isAhead = task.notBefore !== null && task.notBefore > work.now;
  const isReady = task.state === QUEUED || task.hold === HELD_FOR_ADMISSION;
  if ((isReady && isAhead) || task.state === DELAYED) letWait(work, task);
}

/** Where a task goes whose attempt has just ended. */
export function follow(work: Work, task: TaskRow, next: Next): void {
  const waits = next.state === 'queued' || next.state === 'held';
  if (waits && task.cancelRequestedAt !== null) finish(work, task, TERMINATED);
  else if (next.state === 'held') hold(work, task, toHoldCode(next.hold ?? 'operator'));
  else if (next.state === 'queued') {
    if (next.delayMs > 0) task.notBefore = Math.max(task.notBefore ?? 0, work.now + next.delayMs);
    letWait(work, task);
  } else finish(work, task, toStateCode(next.state));
}

const ORPHANED_OUTCOME = toOutcomeCode('orphaned');

/** The lease ran out. */
export function lose(work: Work, task: TaskRow): void {
  const { queue } = entryOf(work, task);
  const { tryCount, lossCount } = task;
  const cancelRequestedAt = toDate(task.cancelRequestedAt);
  const next = afterLoss({ tryCount, lossCount, cancelRequestedAt }, queue);
  endAttempt(work, task, { outcome: ORPHANED_OUTCOME, error: null, code: null });
  task.tryCount += 1;
  task.lossCount += 1;
  follow(work, task, next);
}

export interface LateSuccess {
  readonly error: string | null;
  readonly code: number | null;
  /** undefined keeps the result. */
  readonly result: string | null | undefined;
}

/** A success that came late makes a lost task succeed after all. */
export function succeedLate(work: Work, task: TaskRow, { error, code, result }: LateSuccess): void {
  if (result !== undefined) task.result = result;
  task.error = error === null ? null : toQuoted(error);
  task.code = code;
  task.lastOutcome = toOutcomeCode('succeeded');
  finish(work, task, SUCCEEDED);
}

export function tellReady(work: Work, task: Pick<TaskRow, 'queue'>): void {
  work.notes.note('ready', placeOf(entryOf(work, task)));
}
