import {
  type MoveAnswer,
  type MoveStep,
  OPERATOR_MOVES,
  rankOf,
  type TaskChange,
  type TaskState,
} from '../../core/store/index.ts';
import {
  fromStateCode,
  isFinalCode,
  isLiveCode,
  RUNNING,
  toHoldCode,
  toOutcomeCode,
  toStateCode,
} from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { type TaskRow, toLabelsText } from './rows.ts';
import type { Session } from './session.ts';
import { addAttempts, findTask, saveTask } from './task-rows.ts';
import { endAttempt, finish, hold, letWait, waitAnew } from './transitions.ts';

/** An operator's move on one task. */
export function moveTask(
  session: Session,
  { namespace, move, onlyStates }: Omit<MoveStep, 'ids'>,
  id: string,
  now: number,
): MoveAnswer {
  const task = findTask(session, namespace, id);
  if (!task) return { id, status: 'missing', state: null };
  const state = fromStateCode(task.state);
  const moves: Partial<Record<TaskState, string>> = OPERATOR_MOVES[move];
  const to = moves[state];
  if (to === undefined || (onlyStates && !onlyStates.includes(state))) {
    return { id, status: 'refused', state };
  }
  if (to === 'request' && task.external === 0) {
    if (task.cancelRequestedAt === null) {
      task.cancelRequestedAt = now;
      task.updatedAt = now;
      saveTask(session, task);
    }
    return { id, status: 'requested', state };
  }
  if (move === 'cancel') cancel(session, task, now);
  else if (move === 'hold') {
    task.fence += 1;
    hold(session, task, toHoldCode('operator'), now);
  } else {
    task.fence += 1;
    if (move === 'retry') forgetTries(session, task);
    letWait(session, task, now);
  }
  saveTask(session, task);
  return { id, status: 'moved', state: fromStateCode(task.state) };
}

function cancel(session: Session, task: TaskRow, now: number): void {
  const to = toStateCode(task.state === RUNNING ? 'terminated' : 'cancelled');
  if (isLiveCode(task.state)) {
    const ending = { outcome: toOutcomeCode('cancelled'), error: null, code: null };
    addAttempts(session.db, endAttempt(session, task, ending), now);
  }
  task.fence += 1;
  finish(session, task, to, now);
}

function forgetTries({ db, queues }: Session, task: TaskRow): void {
  if (isFinalCode(task.state)) {
    const { order } = queues.getByRow(task.queue).queue;
    db.run('update tasks set rank = ? where row = ?', rankOf(order, task.id, task.key), task.row);
  }
  Object.assign(task, { tryCount: 0, lossCount: 0, notBefore: null });
  Object.assign(task, { error: null, code: null, cancelRequestedAt: null });
}

const SAVE_CONTENT_SQL = 'update tasks set priority = ?, params = ?, labels = ? where row = ?';

/** Changes fields of one task; gives it as it is then. */
export function editTask(
  session: Session,
  namespace: string,
  { id, change }: { readonly id: string; readonly change: TaskChange },
  now: number,
): TaskRow | null {
  const task = findTask(session, namespace, id);
  if (!task) return null;
  const entry = session.queues.getByRow(task.queue);
  const { priority, priorityBy = 0, params, notBefore, labels } = change;
  task.priority = (priority ?? task.priority) + priorityBy;
  if (params !== undefined) {
    task.params = JSON.stringify(params);
    if (!isLiveCode(task.state)) {
      task.limitKeys = toLimitKeys(entry, params);
      session.queues.changed(entry);
    }
  }
  if (labels !== undefined) task.labels = toLabelsText(labels);
  session.db.run(SAVE_CONTENT_SQL, task.priority, task.params, task.labels, task.row);
  task.updatedAt = now;
  if (notBefore !== undefined) {
    task.notBefore = notBefore?.getTime() ?? null;
    waitAnew(session, task, now);
  }
  saveTask(session, task);
  return task;
}
