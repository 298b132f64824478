import {
  type ArchivedTask,
  type Attempt,
  isLive,
  type PutAnswer,
  type TaskPut,
  toKeyBytes,
} from '../../core/store/index.ts';
import { DELAYED, QUEUED, toHoldCode, toOutcomeCode, toStateCode } from './codes.ts';
import { addStarts, toLimitKeys } from './keyed-limits.ts';
import type { QueueEntry } from './queue-cache.ts';
import { toIdBytes, toLabelsText, toQuoted, toText } from './rows.ts';
import type { Session } from './session.ts';
import { findTaskByKey, getTaskByRow, saveTask } from './task-rows.ts';
import { enqueue, noteDelay } from './transitions.ts';

const COLUMNS = [
  'id',
  'queue',
  'state',
  'priority',
  'fence',
  'claim_count',
  'try_count',
  'loss_count',
  'round_count',
  'not_before',
  'hold',
  'external',
  'code',
  'last_outcome',
  'cancel_requested_at',
  'created_at',
  'updated_at',
  'ended_at',
  'rank',
  'key',
  'unique_key',
  'limit_keys',
  'labels',
  'error',
  'params',
  'result',
];

const PUT_TASK_SQL = `
  insert into tasks (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})
  returning row`;
const PUT_ATTEMPT_SQL = `
  insert into attempts (task, fence, node, claimed_at, started_at, expires_at, ended_at, outcome,
    code, late_outcome, late_at, error, data, late_data)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const IS_THERE_SQL = 'select 1 from tasks where id = ?';

export function putTasks(
  session: Session,
  { namespace, queueId, tasks }: TaskPut,
  now: number,
): readonly PutAnswer[] | 'missing-queue' {
  const entry = session.queues.find(queueId);
  if (entry?.queue.namespace !== namespace) return 'missing-queue';
  return tasks.map((archived) => putTask(session, entry, archived, now));
}

function putTask(
  session: Session,
  entry: QueueEntry,
  archived: ArchivedTask,
  now: number,
): PutAnswer {
  const { db, queues, changes } = session;
  const { task, attempts } = archived;
  if (isLive(task.state)) throw new Error(`Task ${task.id} is ${task.state}: it cannot be put.`);
  if (db.get(IS_THERE_SQL, toIdBytes(task.id))) return 'there';
  const key = task.key === null ? null : toKeyBytes(task.key);
  if (key && findTaskByKey(session, entry.row, key)) return 'key-taken';

  const row = addTask(session, entry, archived, key);
  for (const attempt of attempts) addAttempt(session, entry, row, attempt);
  const claims = attempts.map(({ claimedAt }) => claimedAt.getTime());
  addStarts(db, entry, { limitKeys: toLimitKeys(entry, task.params), claims, now });
  const state = toStateCode(task.state);
  queues.move(entry, null, state);
  if (state === DELAYED) noteDelay(session, entry, task.notBefore?.getTime() ?? null);
  if (state !== QUEUED) return 'put';
  changes.ready({ namespace: entry.queue.namespace, queueId: entry.queue.id });
  if (task.external) runExternal(session, row, now);
  return 'put';
}

function addTask(
  { db }: Session,
  entry: QueueEntry,
  { task, rank, uniqueKey }: ArchivedTask,
  key: Uint8Array | null,
): number {
  const added = db.get<{ row: number }>(
    PUT_TASK_SQL,
    toIdBytes(task.id),
    entry.row,
    toStateCode(task.state),
    task.priority,
    task.fence,
    task.claimCount,
    task.tryCount,
    task.lossCount,
    task.roundCount,
    task.notBefore?.getTime() ?? null,
    task.hold === null ? null : toHoldCode(task.hold),
    task.external ? 1 : 0,
    task.code,
    task.lastOutcome === null ? null : toOutcomeCode(task.lastOutcome),
    task.cancelRequestedAt?.getTime() ?? null,
    task.createdAt.getTime(),
    task.updatedAt.getTime(),
    task.endedAt?.getTime() ?? null,
    rank,
    key,
    uniqueKey === null ? null : toQuoted(uniqueKey),
    toLimitKeys(entry, task.params),
    toLabelsText(task.labels),
    task.error === null ? null : toQuoted(task.error),
    JSON.stringify(task.params) ?? 'null',
    toText(task.result),
  );
  return added?.row ?? 0;
}

function addAttempt(session: Session, entry: QueueEntry, row: number, attempt: Attempt): void {
  const { endedAt, outcome, late } = attempt;
  if (endedAt === null || outcome === null) {
    throw new Error(`Attempt ${attempt.fence} of task ${attempt.taskId} has not ended.`);
  }
  session.db.run(
    PUT_ATTEMPT_SQL,
    row,
    attempt.fence,
    session.nodes.ensure(entry.queue.namespace, attempt.node).row,
    attempt.claimedAt.getTime(),
    attempt.startedAt?.getTime() ?? null,
    attempt.expiresAt?.getTime() ?? null,
    endedAt.getTime(),
    toOutcomeCode(outcome),
    attempt.code,
    late && toOutcomeCode(late.outcome),
    late?.at.getTime() ?? null,
    attempt.error === null ? null : toQuoted(attempt.error),
    toText(attempt.data),
    late && toText(late.data),
  );
}

function runExternal(session: Session, row: number, now: number): void {
  const task = getTaskByRow(session, row);
  enqueue(session, task, now);
  saveTask(session, task);
}
