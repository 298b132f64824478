import {
  type Claim,
  type ClaimContinuousStep,
  type ClaimTaskAnswer,
  type ClaimTaskStep,
  limitKeysOf,
} from '../../core/store/index.ts';
import { beginCall } from './claim.ts';
import { allowsNode, isOpen, roomIn } from './claim-gate.ts';
import { type Call, expiryOf } from './claim-take.ts';
import { findRepeated, rememberCall } from './claim-token.ts';
import { CLAIMED, isFinalCode, isWaitingCode, QUEUED, RUNNING } from './codes.ts';
import { fromLimitKeys, fullLimits } from './keyed-limits.ts';
import { HERE, type QueueEntry } from './queue-cache.ts';
import { type TaskRow, toClaim } from './rows.ts';
import type { Session } from './session.ts';
import { insertTasks } from './task-insert.ts';
import { replaceTask } from './task-replace.ts';
import { findTask, findTaskByKey, saveTask } from './task-rows.ts';
import { beginAttempt } from './transitions.ts';

export function claimTask(session: Session, request: ClaimTaskStep, now: number): ClaimTaskAnswer {
  const { namespace, taskId, node: name, force, assignedVersion } = request;
  const task = findTask(session, namespace, taskId);
  if (!task) return { status: 'missing' };
  if (!isWaitingCode(task.state)) return { status: 'not-waiting' };
  if (assignedVersion !== null && !isAtVersion(session, request, assignedVersion)) {
    return { status: 'outrun' };
  }
  const entry = session.queues.getByRow(task.queue);
  const isAllowed = entry.fate === HERE && allowsNode(session, entry, name);
  if (!isAllowed || !(force || isFree(session, entry, { task, name, now }))) {
    return { status: 'refused' };
  }
  if (assignedVersion !== null) {
    session.db.run(ASSIGN_SQL, now, namespace, name);
  }
  const call = beginCall(session, { ...request, token: null }, now);
  return { status: 'claimed', claim: give(session, entry, { task, call }) };
}

const VERSION_SQL = `
  select 1 from nodes where namespace = ? and name = ? and id is not null and assigned_version = ?`;
const ASSIGN_SQL = `
  update nodes set assigned_version = assigned_version + 1, assigned_at = ?
  where namespace = ? and name = ?`;

function isAtVersion({ db }: Session, { namespace, node }: ClaimTaskStep, version: number) {
  return db.get(VERSION_SQL, namespace, node, version) !== undefined;
}

function isFree(
  session: Session,
  entry: QueueEntry,
  { task, name, now }: { readonly task: TaskRow; readonly name: string; readonly now: number },
): boolean {
  return (
    task.state === QUEUED &&
    !entry.queue.paused &&
    roomIn(session, entry, name) >= 1 &&
    fullLimits(session.db, entry, fromLimitKeys(task.limitKeys), now).length === 0
  );
}

function give(
  session: Session,
  entry: QueueEntry,
  { task, call }: { readonly task: TaskRow; readonly call: Call },
): Claim {
  const { node, start, claim, now } = call;
  const expiresAt = expiryOf(entry, call);
  beginAttempt(session, task, { node: node.row, start, expiresAt, claim }, now);
  saveTask(session, task);
  return toClaim(session, task);
}

export function claimContinuous(
  session: Session,
  request: ClaimContinuousStep,
  now: number,
): Claim | null {
  const entry = session.queues.findHere(request.queueId);
  if (!entry) return null;
  const { namespace } = entry.queue;
  const repeated = findRepeated(session, namespace, request, now);
  if (repeated) return repeated[0] ?? null;
  if (!isDue(entry, request, now) || !isOpen(session, entry, request.node)) return null;
  if (roomIn(session, entry, request.node) < 1) return null;
  const keys = limitKeysOf(entry.queue.limits, request.task.params);
  if (fullLimits(session.db, entry, keys, now).length > 0) return null;

  const task = makeWaiting(session, entry, request, now);
  if (!task) return null;
  setNextContinuous(session, entry, now + entry.queue.intervalMs);
  const call = beginCall(session, { ...request, namespace }, now);
  const claim = give(session, entry, { task, call });
  if (call.claim !== null && request.token !== null) {
    const { claim: number, node } = call;
    const until = expiryOf(entry, call);
    rememberCall(session, { call: number, node, token: request.token, rows: [task.row], until });
  }
  return claim;
}

function isDue(
  { queue, counts }: QueueEntry,
  { expectedNextAt }: ClaimContinuousStep,
  now: number,
) {
  const next = queue.nextContinuousAt?.getTime() ?? null;
  const isExpected = next === (expectedNextAt?.getTime() ?? null);
  const isIdle = [QUEUED, CLAIMED, RUNNING].every((state) => counts[state] === 0);
  return queue.continuous && isExpected && (next === null || next <= now) && isIdle;
}

/** A new task, or the finished one of that key; null when there is one that waits. */
function makeWaiting(
  session: Session,
  entry: QueueEntry,
  { task }: ClaimContinuousStep,
  now: number,
): TaskRow | null {
  const plain = { ...task, hold: null, notBefore: null, delayMs: null, external: false };
  const met = task.key && findTaskByKey(session, entry.row, task.key);
  if (met) {
    if (!isFinalCode(met.state)) return null;
    replaceTask(session, entry, { met, task: plain }, now);
  } else insertTasks(session, entry, [plain], now);
  return findTask(session, entry.queue.namespace, met?.id ?? task.id);
}

function setNextContinuous({ db, queues }: Session, entry: QueueEntry, at: number): void {
  entry.queue = { ...entry.queue, nextContinuousAt: new Date(at) };
  queues.changed(entry);
  db.run('update queues set next_continuous_at = ? where row = ?', at, entry.row);
}
