/** What the holder of a live attempt says before its end: that it starts, and that it goes on. */
import type { AttemptRef, HoldAnswer, RenewItem } from '../../core/store/index.ts';
import { CLAIMED, isLiveCode } from './codes.ts';
import { findLiveTasks } from './live-tasks.ts';
import { manyRows, runRows } from './many-rows.ts';
import { type TaskCore, toDate, toText } from './rows.ts';
import type { Session } from './session.ts';
import type { SqlValue } from './sql-value.ts';
import { addAttempts, saveTask } from './task-rows.ts';
import { lose, noteLease, startAttempt } from './transitions.ts';

export const START = manyRows(
  2,
  (rows) => `
  update tasks set state = 4, started_at = e.column2, updated_at = e.column2
  from (values ${rows}) e where tasks.row = e.column1`,
);

export function startAttempts(
  session: Session,
  namespace: string,
  items: readonly AttemptRef[],
  now: number,
): HoldAnswer[] {
  const started: SqlValue[] = [];
  const answers = eachLive(session, namespace, items, (task) => {
    if (task.state === CLAIMED && task.cancelRequestedAt === null) {
      startAttempt(session, task, now);
      started.push(task.row, now);
    }
    return toHeld(task);
  });
  runRows(session.db, START, started);
  return answers;
}

export const RENEW = manyRows(
  2,
  (rows) => `
  update tasks set expires_at = e.column2 from (values ${rows}) e where tasks.row = e.column1`,
);
const REPORT_SQL = 'update tasks set result = ?, updated_at = ? where row = ?';

export function renewAttempts(
  session: Session,
  namespace: string,
  items: readonly RenewItem[],
  now: number,
): HoldAnswer[] {
  const { db } = session;
  const renewed = new Map<number, number>();
  const answers = eachLive(session, namespace, items, (task, item) => {
    if (item.data !== undefined) {
      task.result = toText(item.data);
      db.run(REPORT_SQL, task.result, now, task.row);
    }
    if (item.leaseMs <= 0) {
      // The history takes the lease from the row, also when this call has renewed it before.
      runRows(db, RENEW, [task.row, task.expiresAt]);
      renewed.delete(task.row);
      return giveUp(session, task, now);
    }
    if (task.expiresAt !== null) {
      task.expiresAt = now + item.leaseMs;
      renewed.set(task.row, task.expiresAt);
      noteLease(session, task.expiresAt);
    }
    return toHeld(task);
  });
  runRows(db, RENEW, [...renewed].flat());
  return answers;
}

/** As if the lease had run out. */
function giveUp(session: Session, task: TaskCore, now: number): HoldAnswer {
  const { id: taskId, fence } = task;
  addAttempts(session.db, lose(session, task, now), now);
  saveTask(session, task);
  return { taskId, fence, status: 'lost', expiresAt: null };
}

function eachLive<Item extends AttemptRef>(
  session: Session,
  namespace: string,
  items: readonly Item[],
  act: (task: TaskCore, item: Item) => HoldAnswer,
): HoldAnswer[] {
  const live = findLiveTasks(session, namespace, items);
  return items.map((item) => {
    const { taskId, fence } = item;
    const task = live.get(taskId);
    const isHeld = task && isLiveCode(task.state) && (fence === null || task.fence === fence);
    if (isHeld) return act(task, item);
    return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
  });
}

function toHeld({ id, fence, cancelRequestedAt, expiresAt }: TaskCore): HoldAnswer {
  const status = cancelRequestedAt === null ? 'held' : 'cancelled';
  return { taskId: id, fence, status, expiresAt: toDate(expiresAt) };
}
