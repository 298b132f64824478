/** What the holder of a live attempt says before its end: that it starts, and that it goes on. */
import type { AttemptRef, HoldAnswer, RenewItem } from '../../core/store/index.ts';
import { CLAIMED, isLiveCode } from './codes.ts';
import type { SqlValue } from './database.ts';
import { type TaskCore, type TaskRow, toDate, toText } from './rows.ts';
import type { Session } from './session.ts';
import { addAttempts, findTask, saveTask } from './task-rows.ts';
import { lose, noteLease, startAttempt } from './transitions.ts';

export function startAttempts(
  session: Session,
  namespace: string,
  items: readonly AttemptRef[],
  now: number,
): HoldAnswer[] {
  return items.map((item) =>
    withLive(session, namespace, item, (task) => {
      if (task.state === CLAIMED && task.cancelRequestedAt === null) {
        startAttempt(session, task, now);
        saveTask(session.db, task);
      }
      return toHeld(task);
    }),
  );
}

export const RENEW_SQL = 'update tasks set expires_at = ? where row = ?';

export function renewAttempts(
  session: Session,
  namespace: string,
  items: readonly RenewItem[],
  now: number,
): HoldAnswer[] {
  return items.map((item) =>
    withLive(session, namespace, item, (task) => renew(session, task, item, now)),
  );
}

function renew(session: Session, task: TaskRow, item: RenewItem, now: number): HoldAnswer {
  const { db } = session;
  const { fence } = task;
  if (item.data !== undefined) {
    task.result = toText(item.data);
    task.updatedAt = now;
    saveTask(db, task);
  }
  if (item.leaseMs <= 0) {
    const ended: SqlValue[] = lose(session, task, now);
    addAttempts(db, ended);
    saveTask(db, task);
    return { taskId: task.id, fence, status: 'lost', expiresAt: null };
  }
  if (task.expiresAt !== null) {
    task.expiresAt = now + item.leaseMs;
    db.run(RENEW_SQL, task.expiresAt, task.row);
    noteLease(session, task.expiresAt);
  }
  return toHeld(task);
}

function withLive(
  session: Session,
  namespace: string,
  { taskId, fence }: AttemptRef,
  act: (task: TaskRow) => HoldAnswer,
): HoldAnswer {
  const task = findTask(session, namespace, taskId);
  if (task && isLiveCode(task.state) && (fence === null || task.fence === fence)) return act(task);
  return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
}

function toHeld({ id, fence, cancelRequestedAt, expiresAt }: TaskCore): HoldAnswer {
  const status = cancelRequestedAt === null ? 'held' : 'cancelled';
  return { taskId: id, fence, status, expiresAt: toDate(expiresAt) };
}
