import type { SettleAnswer, Settlement, TaskState } from '../../core/store/index.ts';
import { fromStateCode, isFinalCode, isLiveCode, toOutcomeCode } from './codes.ts';
import type { Database } from './database.ts';
import { findLiveTasks } from './live-tasks.ts';
import { type TaskCore, toQuoted, toText } from './rows.ts';
import type { Session } from './session.ts';
import { settleLate } from './settle-late.ts';
import type { SqlValue } from './sql-value.ts';
import { insertTasks } from './task-insert.ts';
import { addAttempts, findTask, saveEndedTasks, saveTask } from './task-rows.ts';
import { addOrMeet } from './task-submit.ts';
import { endAttempt, follow } from './transitions.ts';

type Settled = Omit<SettleAnswer, 'state'>;

/** Ends attempts; all rows are read at once and written at once. */
export function settle(
  session: Session,
  namespace: string,
  items: readonly Settlement[],
  now: number,
): SettleAnswer[] {
  // What an emission meets could be a task of a later item, which must not have been read before.
  if (items.some(mayMeet)) {
    const settled = items.map((item) => settleTogether(session, namespace, [item], now));
    return settled
      .flat()
      .map((answer) => ({ ...answer, state: stateNow(session, namespace, answer) }));
  }
  return settleTogether(session, namespace, items, now);
}

function mayMeet({ emit }: Settlement): boolean {
  return emit.some(({ task: { key, unique } }) => key !== null || unique !== null);
}

function stateNow(session: Session, namespace: string, { taskId }: Settled) {
  const task = findTask(session, namespace, taskId);
  return task && fromStateCode(task.state);
}

function settleTogether(
  session: Session,
  namespace: string,
  items: readonly Settlement[],
  now: number,
): SettleAnswer[] {
  const { db } = session;
  const live = findLiveTasks(session, namespace, items);
  const settled: Settled[] = new Array(items.length);
  const attempts: SqlValue[] = [];
  const moved = new Set<TaskCore>();
  const later: number[] = [];
  for (const [index, item] of items.entries()) {
    const task = live.get(item.taskId);
    // Within one call a task may have ended before: then it is looked at after the writes.
    if (!task || !isLiveCode(task.state) || (item.fence !== null && item.fence !== task.fence)) {
      later.push(index);
      continue;
    }
    settled[index] = { taskId: item.taskId, fence: task.fence, status: 'applied' };
    for (const value of apply(session, task, item, now)) attempts.push(value);
    moved.add(task);
  }
  addAttempts(db, attempts);
  save(db, moved);

  const states = new Map<string, TaskState | null>();
  for (const { id, state } of moved) states.set(id, fromStateCode(state));
  for (const index of later) {
    const { state, ...answer } = settleLate(session, namespace, items[index] as Settlement, now);
    settled[index] = answer;
    states.set(answer.taskId, state);
  }
  for (const [index, item] of items.entries()) {
    if (settled[index]?.status === 'applied') emit(session, namespace, item, now);
  }
  return settled.map((answer) => ({ ...answer, state: states.get(answer.taskId) ?? null }));
}

function save(db: Database, tasks: ReadonlySet<TaskCore>): void {
  const ended: TaskCore[] = [];
  for (const task of tasks) {
    if (isFinalCode(task.state)) ended.push(task);
    else saveTask(db, task);
  }
  saveEndedTasks(db, ended);
}

function apply(session: Session, task: TaskCore, item: Settlement, now: number): SqlValue[] {
  const { outcome, data, error, code, again, next } = item;
  const ended = endAttempt(
    session,
    task,
    {
      outcome: toOutcomeCode(outcome),
      data: data === undefined ? task.result : toText(data),
      error: error === null ? null : toQuoted(error),
      code,
    },
    now,
  );
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) {
    session.db.run('update tasks set rank = ? where row = ?', again.rank, task.row);
    if (again.params !== undefined) {
      const params = JSON.stringify(again.params) ?? 'null';
      session.db.run('update tasks set params = ? where row = ?', params, task.row);
    }
  }
  follow(session, task, next, now);
  return ended;
}

/** Emissions into a queue that is gone, or of another namespace, are dropped. */
function emit(
  session: Session,
  namespace: string,
  { emit: emissions }: Settlement,
  now: number,
): void {
  for (const { queueId, task, onConflict } of emissions) {
    const entry = session.queues.findHere(queueId);
    if (entry?.queue.namespace !== namespace) continue;
    if (task.key === null && task.unique === null) insertTasks(session, entry, [task], now);
    else addOrMeet(session, entry, { task, onConflict }, now);
  }
}
