import type {
  Claim,
  ClaimContinuousStep,
  ClaimTaskAnswer,
  ClaimTaskStep,
  NewTask,
} from '../../core/store/index.ts';
import {
  allowsNode,
  type Claimer,
  findRepeated,
  isLimited,
  lockClaimer,
  numberCall,
  readRoom,
  rememberCall,
} from './claim-call.ts';
import { isFinalCode, isWaitingCode, QUEUED } from './codes.ts';
import { fromLimitKeys, readRooms } from './keyed-limits.ts';
import { lockLimits, lockNode } from './locks.ts';
import { HERE, type QueueEntry } from './queue-entry.ts';
import { type TaskRow, toClaim } from './rows.ts';
import { lockNewcomers, readMeetings } from './task-conflict.ts';
import { insertTask, limitKeysFor } from './task-insert.ts';
import { replaceTask } from './task-replace.ts';
import { isIdHex, lockQueues, lockTasks } from './task-rows.ts';
import { beginAttempt } from './transitions.ts';
import { entryOf, type Work } from './work.ts';

const QUEUE_OF_SQL = `
  select q.id from tasks t join queues q on q.row = t.queue where t.id = $1::bytea`;

export async function claimTask(
  work: Work,
  request: ClaimTaskStep,
  node: number,
): Promise<ClaimTaskAnswer> {
  const { db } = work;
  const { namespace, taskId, force, assignedVersion } = request;
  if (!isIdHex(taskId)) return { status: 'missing' };
  const place = await db.get<{ id: string }>(QUEUE_OF_SQL, `\\x${taskId}`);
  const entries = await lockQueues(work, place ? [place.id] : []);
  const [entry] = [...entries.values()];
  if (!entry || entry.queue.namespace !== namespace) return { status: 'missing' };
  if (isLimited(entry.queue)) await lockLimits(db, [entry.row]);
  if (assignedVersion !== null) await lockNode(db, node);
  const claimer = await lockClaimer(db, node, request.node);
  const task = (await lockTasks(work, [taskId])).get(taskId);
  if (!task) return { status: 'missing' };
  if (!isWaitingCode(task.state)) return { status: 'not-waiting' };
  if (assignedVersion !== null && !(await isAtVersion(work, node, assignedVersion))) {
    return { status: 'outrun' };
  }
  const isAllowed = entry.fate === HERE && allowsNode(entry.queue, claimer);
  if (!isAllowed || !(force || (await isFree(work, entry, task, claimer)))) {
    return { status: 'refused' };
  }
  if (assignedVersion !== null) await db.run(ASSIGN_SQL, work.now, node);
  return { status: 'claimed', claim: give(work, task, { request, node, claim: null }) };
}

const VERSION_SQL = `
  select 1 from nodes where row = $1 and id is not null and assigned_version = $2`;
const ASSIGN_SQL = `
  update nodes set assigned_version = assigned_version + 1, assigned_at = $1 where row = $2`;

async function isAtVersion({ db }: Work, node: number, version: number): Promise<boolean> {
  return (await db.get(VERSION_SQL, node, version)) !== null;
}

async function isFree(
  work: Work,
  entry: QueueEntry,
  task: TaskRow,
  claimer: Claimer,
): Promise<boolean> {
  if (task.state !== QUEUED || entry.queue.paused) return false;
  if ((await readRoom(work.db, entry, claimer)) < 1) return false;
  return (await readRooms(work.db, entry, work.now)).of(fromLimitKeys(task.limitKeys)) >= 1;
}

interface Giving {
  readonly request: Pick<ClaimTaskStep, 'start' | 'leaseMs'>;
  readonly node: number;
  readonly claim: number | null;
}

function give(work: Work, task: TaskRow, { request, node, claim }: Giving): Claim {
  const { queue } = entryOf(work, task);
  const expiresAt = work.now + (request.leaseMs ?? queue.leaseMs);
  beginAttempt(work, task, { node, start: request.start, expiresAt, claim });
  return toClaim(task, queue);
}

const COUNTS_SQL = `
  select coalesce(sum(s0 + s3 + s4), 0)::int8 as count from task_counts where queue = $1`;
const SET_NEXT_SQL = 'update queues set next_continuous_at = $1 where row = $2';

export async function claimContinuous(
  work: Work,
  request: ClaimContinuousStep,
  node: number,
): Promise<Claim | null> {
  const { db, now } = work;
  const { queueId, token } = request;
  const repeated = await findRepeated(work, node, token);
  if (repeated) return repeated[0] ?? null;
  const plain = { ...request.task, hold: null, notBefore: null, delayMs: null, external: false };
  const place = await db.get<{ row: number }>('select row from queues where id = $1', queueId);
  if (!place) return null;
  const newcomer = { queue: place.row, task: plain };
  await lockNewcomers(work, [newcomer]);
  const entry = (await lockQueues(work, [queueId])).get(queueId);
  if (entry?.fate !== HERE) return null;
  await lockLimits(db, [entry.row]);
  const claimer = await lockClaimer(db, node, request.node);
  // Read again under the lock: another call may just have made its task.
  const next = await db.get<{ at: number | null }>(
    'select next_continuous_at as at from queues where row = $1',
    entry.row,
  );
  if (!isDue(entry, request, next?.at ?? null, now) || !allowsNode(entry.queue, claimer))
    return null;
  const busy = await db.get<{ count: number }>(COUNTS_SQL, entry.row);
  if (busy && busy.count > 0) return null;
  if ((await readRoom(db, entry, claimer)) < 1) return null;
  const keys = fromLimitKeys(limitKeysFor(entry, plain));
  if ((await readRooms(db, entry, now)).of(keys) < 1) return null;

  const task = await makeWaiting(work, entry, newcomer);
  if (!task) return null;
  await db.run(SET_NEXT_SQL, now + entry.queue.intervalMs, entry.row);
  const number = await numberCall(db, token);
  const claim = give(work, task, { request, node, claim: number });
  await rememberCall(db, { node, token, claim: number, claims: [claim] });
  return claim;
}

function isDue(
  { queue }: QueueEntry,
  { expectedNextAt }: ClaimContinuousStep,
  next: number | null,
  now: number,
): boolean {
  const isExpected = next === (expectedNextAt?.getTime() ?? null);
  return queue.continuous && !queue.paused && isExpected && (next === null || next <= now);
}

/** A new task, or the finished one of that key; null when there is one that waits. */
async function makeWaiting(
  work: Work,
  entry: QueueEntry,
  newcomer: { readonly queue: number; readonly task: NewTask },
): Promise<TaskRow | null> {
  const { task } = newcomer;
  const byKey = { queue: entry.row, task: { ...task, unique: null } };
  const meeting = task.key && (await readMeetings(work, [byKey])).find(byKey);
  if (!meeting) return insertTask(work, entry, task);
  if (!isFinalCode(meeting.met.state)) return null;
  replaceTask(work, entry, { met: meeting.met, task });
  return meeting.met;
}
