import {
  isFinal,
  type MoveAnswer,
  type MoveStep,
  OPERATOR_MOVES,
  rankOf,
  type TaskChange,
  type TaskState,
} from '../../core/store/index.ts';
import { copyJson, toHex } from './new-record.ts';
import type { TaskRecord } from './task-record.ts';
import { endAttempt, finish, hold, letWait, type Work, waitAnew } from './transitions.ts';

/** Whether the step did its work on this task before it was interrupted. */
function isDone({ run }: Work, { document }: TaskRecord): boolean {
  return run !== null && document?.batchyard?.changedBy === run.name;
}

export function moveTask(work: Work, task: TaskRecord, request: MoveStep): MoveAnswer {
  const { id } = task;
  if (isDone(work, task)) return { id, status: 'moved', state: task.state };
  const moves: Partial<Record<TaskState, TaskState | 'waiting' | 'request'>> =
    OPERATOR_MOVES[request.move];
  const to = moves[task.state];
  const isAmong = !request.onlyStates || request.onlyStates.includes(task.state);
  if (!to || !isAmong) return { id, status: 'refused', state: task.state };

  if (to === 'request' && !task.external) {
    if (task.cancelRequestedAt === null) {
      task.cancelRequestedAt = work.now;
      task.updatedAt = work.now;
      task.renewedAt = null;
    }
    return { id, status: 'requested', state: task.state };
  }
  task.fence += 1;
  task.changedBy = work.run?.name ?? null;
  if (request.move === 'cancel') cancel(work, task);
  else if (request.move === 'hold') hold(work, task, 'operator');
  else {
    if (request.move === 'retry') forgetTries(task);
    letWait(work, task);
  }
  return { id, status: 'moved', state: task.state };
}

function cancel(work: Work, task: TaskRecord): void {
  const to = task.state === 'running' ? 'terminated' : 'cancelled';
  // The fence was raised already: the attempt ends under the one it was given.
  if (task.live) {
    task.fence -= 1;
    endAttempt(work, task, { outcome: 'cancelled', error: null, code: null });
    task.fence += 1;
  }
  finish(work, task, to);
}

function forgetTries(task: TaskRecord): void {
  if (isFinal(task.state)) task.rank = rankAnew(task);
  Object.assign(task, { tryCount: 0, lossCount: 0, notBefore: null });
  Object.assign(task, { error: null, code: null, cancelRequestedAt: null });
}

/** By the queue's order, from the task's own id and key. */
export function rankAnew({ queue, id, key }: TaskRecord): string {
  const bytes = key === null ? null : Buffer.from(key, 'hex');
  return toHex(rankOf(queue.settings.order, id, bytes));
}

export function editTask(work: Work, task: TaskRecord, change: TaskChange): void {
  if (isDone(work, task)) return;
  const { priority, priorityBy, params, notBefore, labels } = change;
  task.changedBy = work.run?.name ?? null;
  if (priority !== undefined) task.priority = priority;
  if (priorityBy !== undefined) task.priority += priorityBy;
  if (params !== undefined) task.params = copyJson(params);
  if (labels !== undefined) task.labels = copyJson(labels);
  task.updatedAt = work.now;
  task.renewedAt = null;
  if (notBefore === undefined) return;
  task.notBefore = notBefore?.getTime() ?? null;
  waitAnew(work, task);
}
