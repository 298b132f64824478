/** Reading and writing rows of tasks and their ended attempts. */
import { isLiveCode } from './codes.ts';
import type { Database } from './database.ts';
import { endLimited } from './keyed-limits.ts';
import { manyRows, runRows } from './many-rows.ts';
import { HIDDEN } from './queue-cache.ts';
import { TASK_COLUMNS, type TaskCore, type TaskRow, toIdBytes } from './rows.ts';
import type { Session } from './session.ts';
import type { SqlValue } from './sql-value.ts';

export const FIND_TASK_SQL = `select ${TASK_COLUMNS} from tasks t where t.id = ?`;
const FIND_BY_KEY_SQL = `select ${TASK_COLUMNS} from tasks t where t.queue = ? and t.key = ?`;
const GET_SQL = `select ${TASK_COLUMNS} from tasks t where t.row = ?`;

const SAVE_SQL = `
  update tasks set state = ?, hold = ?, fence = ?, claim_count = ?, try_count = ?, loss_count = ?,
    round_count = ?, node = ?, claim = ?, claimed_at = ?, started_at = ?, expires_at = ?,
    not_before = ?, code = ?, last_outcome = ?, cancel_requested_at = ?, updated_at = ?,
    ended_at = ?, limit_keys = ?, error = ?, result = ?
  where row = ?`;

export const SAVE_ENDED = manyRows(
  7,
  (rows) => `
  update tasks set updated_at = ?1, ended_at = ?1, state = e.column2, try_count = e.column3,
    last_outcome = e.column4, code = e.column5, error = e.column6, result = e.column7,
    node = null, claim = null, claimed_at = null, started_at = null, expires_at = null
  from (values ${rows}) e where tasks.row = e.column1`,
);

export const ADD_ATTEMPTS = manyRows(
  5,
  (rows) => `
  insert into attempts (task, fence, node, claimed_at, started_at, expires_at, ended_at, outcome,
    code, error, data)
  select t.row, t.fence, t.node, t.claimed_at, t.started_at, t.expires_at, ?1, e.column2,
    e.column3, e.column4, e.column5
  from (values ${rows}) e cross join tasks t on t.row = e.column1`,
);

/** A task of that namespace that is to be found, or null. */
export function findTask(session: Session, namespace: string, id: string): TaskRow | null {
  const task = findTaskAnywhere(session, id);
  const isThere = task && session.queues.getByRow(task.queue).queue.namespace === namespace;
  return isThere ? task : null;
}

export function findTaskAnywhere({ db, queues }: Session, id: string): TaskRow | null {
  const task = db.get<TaskRow>(FIND_TASK_SQL, toIdBytes(id));
  // Bytes are more lenient than their digits: "6A" and "6a" are one byte, but not one id.
  return task && task.id === id && queues.getByRow(task.queue).fate !== HIDDEN ? task : null;
}

export function findTaskByKey({ db }: Session, queueRow: number, key: Uint8Array): TaskRow | null {
  return db.get<TaskRow>(FIND_BY_KEY_SQL, queueRow, key) ?? null;
}

export function getTaskByRow({ db }: Session, row: number): TaskRow {
  const task = db.get<TaskRow>(GET_SQL, row);
  if (!task) throw new Error(`Task ${row} is not there.`);
  return task;
}

export function saveTask({ db, fresh }: Session, task: TaskCore): void {
  fresh.take(task.id);
  db.run(
    SAVE_SQL,
    task.state,
    task.hold,
    task.fence,
    task.claimCount,
    task.tryCount,
    task.lossCount,
    task.roundCount,
    task.node,
    task.claim,
    task.claimedAt,
    task.startedAt,
    task.expiresAt,
    task.notBefore,
    task.code,
    task.lastOutcome,
    task.cancelRequestedAt,
    task.updatedAt,
    task.endedAt,
    task.limitKeys,
    task.error,
    task.result,
    task.row,
  );
}

/** Tasks that have just ended in the usual way, all now; what that cannot change is not written. */
export function saveEndedTasks(db: Database, tasks: readonly TaskCore[], now: number): void {
  const values: SqlValue[] = [];
  for (const { row, state, tryCount, lastOutcome, code, error, result } of tasks) {
    values.push(row, state, tryCount, lastOutcome, code, error, result);
  }
  runRows(db, SAVE_ENDED, values, [now]);
}

/**
 * Adds attempts that end now to the history. `values` as `endAttempt` gives them, one attempt after
 * the other; the rest is on the rows of the tasks, which must not have been saved since.
 */
export function addAttempts(db: Database, values: readonly SqlValue[], now: number): void {
  runRows(db, ADD_ATTEMPTS, values, [now]);
}

/** Takes tasks out with all that is theirs. */
export function deleteTasks(session: Session, tasks: readonly TaskCore[]): void {
  const { db, queues, nodes, changes, fresh } = session;
  for (const task of tasks) {
    fresh.take(task.id);
    const entry = queues.getByRow(task.queue);
    queues.move(entry, task.state, null);
    if (isLiveCode(task.state) && task.node !== null) {
      nodes.addLives(nodes.getByRow(task.node), entry.row, -1);
      endLimited(db, entry, task.limitKeys);
      changes.ready({ namespace: entry.queue.namespace, queueId: entry.queue.id });
    }
    deleteTaskRow(db, task.row);
  }
}

export function deleteTaskRow(db: Database, row: number): void {
  db.run('delete from attempts where task = ?', row);
  db.run('delete from outputs where task = ?', row);
  db.run('delete from tasks where row = ?', row);
}
