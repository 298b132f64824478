/**
 * How a task goes from state to state: on a row in memory, with every counter. Whoever calls
 * saves the row and writes the attempt that ended.
 */
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
import { beginLimited, endLimited, readLimitKeys } from './keyed-limits.ts';
import type { QueueEntry } from './queue-cache.ts';
import { type TaskCore, toDate } from './rows.ts';
import type { Session } from './session.ts';
import type { SqlValue } from './sql-value.ts';

/** The only way a task changes its state, so that counters move with it. */
function setState(
  { queues }: Session,
  entry: QueueEntry,
  task: TaskCore,
  to: { readonly state: number; readonly hold: number | null },
): void {
  queues.move(entry, task.state, to.state);
  task.state = to.state;
  task.hold = to.hold;
}

export interface Beginning {
  /** The node's row. */
  readonly node: number;
  readonly start: boolean;
  /** null: without a lease. */
  readonly expiresAt: number | null;
  /** The claim call's row, when it had a token. */
  readonly claim: number | null;
}

export function beginAttempt(
  session: Session,
  task: TaskCore,
  { node, start, expiresAt, claim }: Beginning,
  now: number,
): void {
  const entry = session.queues.getByRow(task.queue);
  task.fence += 1;
  task.claimCount += 1;
  Object.assign(task, { node, claim, expiresAt, claimedAt: now, startedAt: start ? now : null });
  setState(session, entry, task, { state: start ? RUNNING : CLAIMED, hold: null });
  task.updatedAt = now;
  noteLease(session, expiresAt);
  session.nodes.addLives(session.nodes.getByRow(node), entry.row, 1);
  beginLimited(session.db, entry, task.limitKeys, now);
}

export function startAttempt(session: Session, task: TaskCore, now: number): void {
  const entry = session.queues.getByRow(task.queue);
  setState(session, entry, task, { state: RUNNING, hold: null });
  task.startedAt = now;
  task.updatedAt = now;
}

export function noteLease({ due }: Session, expiresAt: number | null): void {
  if (expiresAt !== null && expiresAt < due.leasesFrom) due.leasesFrom = expiresAt;
}

export interface Ending {
  readonly outcome: number;
  /** Absent: what the attempt reported so far. */
  readonly data?: string | null;
  /** Quoted. */
  readonly error: string | null;
  readonly code: number | null;
}

/** Ends the live attempt and gives what `addAttempts` needs; the caller says at once where the task goes. */
export function endAttempt(
  session: Session,
  task: TaskCore,
  { outcome, data = task.result, error, code }: Ending,
): SqlValue[] {
  const entry = session.queues.getByRow(task.queue);
  const { node } = task;
  if (node === null || !isLiveCode(task.state)) throw new Error(`Task ${task.id} is not live.`);
  session.nodes.addLives(session.nodes.getByRow(node), entry.row, -1);
  endLimited(session.db, entry, task.limitKeys);
  task.node = null;
  task.claim = null;
  task.claimedAt = null;
  task.startedAt = null;
  task.expiresAt = null;
  task.result = data;
  task.error = error;
  task.code = code;
  task.lastOutcome = outcome;
  if ((entry.counts[QUEUED] ?? 0) > 0) tellReady(session, entry); // there may be room now
  return [task.row, outcome, code, error, data];
}

export function finish(session: Session, task: TaskCore, state: number, now: number): void {
  const entry = session.queues.getByRow(task.queue);
  setState(session, entry, task, { state, hold: null });
  task.endedAt = now;
  task.updatedAt = now;
  session.changes.ended({ namespace: entry.queue.namespace, queueId: entry.queue.id });
}

export function hold(session: Session, task: TaskCore, reason: number, now: number): void {
  const entry = session.queues.getByRow(task.queue);
  setState(session, entry, task, { state: HELD, hold: reason });
  task.limitKeys = readLimitKeys(session.db, entry, task.row);
  task.result = null;
  task.endedAt = null;
  task.updatedAt = now;
}

/** An external task is never queued: it runs instead. */
export function enqueue(session: Session, task: TaskCore, now: number): void {
  const entry = session.queues.getByRow(task.queue);
  setState(session, entry, task, { state: QUEUED, hold: null });
  task.updatedAt = now;
  tellReady(session, entry);
  if (task.external === 0) return;
  const node = session.nodes.ensure(entry.queue.namespace, '').row;
  beginAttempt(session, task, { node, start: true, expiresAt: null, claim: null }, now);
}

/** Where it waits its own time and its queue's gate say. */
export function letWait(session: Session, task: TaskCore, now: number): void {
  const entry = session.queues.getByRow(task.queue);
  const place = waitingPlace(entry.queue, toDate(task.notBefore), new Date(now));
  task.result = null;
  task.endedAt = null;
  task.limitKeys = readLimitKeys(session.db, entry, task.row);
  if (place.state === 'queued') {
    enqueue(session, task, now);
    return;
  }
  const reason = place.hold === null ? null : toHoldCode(place.hold);
  setState(session, entry, task, { state: toStateCode(place.state), hold: reason });
  task.updatedAt = now;
  if (task.state === DELAYED) noteDelay(session, entry, task.notBefore);
}

export function noteDelay(session: Session, entry: QueueEntry, notBefore: number | null): void {
  if (notBefore === null) return;
  entry.delaysFrom = Math.min(entry.delaysFrom, notBefore);
  session.due.delaysFrom = Math.min(session.due.delaysFrom, notBefore);
}

/** After a change of notBefore: an admitted task stays admitted, but for one that is delayed. */
export function waitAnew(session: Session, task: TaskCore, now: number): void {
  const isAhead = task.notBefore !== null && task.notBefore > now;
  const isReady = task.state === QUEUED || task.hold === HELD_FOR_ADMISSION;
  if ((isReady && isAhead) || task.state === DELAYED) letWait(session, task, now);
}

/** Where a task goes whose attempt has just ended. */
export function follow(session: Session, task: TaskCore, next: Next, now: number): void {
  const waits = next.state === 'queued' || next.state === 'held';
  if (waits && task.cancelRequestedAt !== null) finish(session, task, TERMINATED, now);
  else if (next.state === 'held') hold(session, task, toHoldCode(next.hold ?? 'operator'), now);
  else if (next.state === 'queued') {
    if (next.delayMs > 0) task.notBefore = Math.max(task.notBefore ?? 0, now + next.delayMs);
    letWait(session, task, now);
  } else finish(session, task, toStateCode(next.state), now);
}

const ORPHANED_OUTCOME = toOutcomeCode('orphaned');

/** The lease ran out; gives what `addAttempts` needs. */
export function lose(session: Session, task: TaskCore, now: number): SqlValue[] {
  const { queue } = session.queues.getByRow(task.queue);
  const { tryCount, lossCount } = task;
  const cancelRequestedAt = toDate(task.cancelRequestedAt);
  const next = afterLoss({ tryCount, lossCount, cancelRequestedAt }, queue);
  const ended = endAttempt(session, task, { outcome: ORPHANED_OUTCOME, error: null, code: null });
  task.tryCount += 1;
  task.lossCount += 1;
  follow(session, task, next, now);
  return ended;
}

/** A success that came late makes a lost task succeed after all. */
export function succeedLate(session: Session, task: TaskCore, now: number): void {
  task.lastOutcome = toOutcomeCode('succeeded');
  finish(session, task, SUCCEEDED, now);
}

function tellReady({ changes }: Session, { queue }: QueueEntry): void {
  changes.ready({ namespace: queue.namespace, queueId: queue.id });
}
