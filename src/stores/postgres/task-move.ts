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
import type { TaskRow } from './rows.ts';
import { limitKeysFor } from './task-insert.ts';
import { endAttempt, finish, hold, letWait, tellReady, waitAnew } from './transitions.ts';
import { fromHex, toLabelsText, toParamsText, toRankHex } from './values.ts';
import { entryOf, markChanged, type Work } from './work.ts';

/** An operator's move on one task. */
export function moveTask(
  work: Work,
  { move, onlyStates }: Pick<MoveStep, 'move' | 'onlyStates'>,
  task: TaskRow,
): MoveAnswer {
  const { id } = task;
  const state = fromStateCode(task.state);
  const moves: Partial<Record<TaskState, string>> = OPERATOR_MOVES[move];
  const to = moves[state];
  if (to === undefined || (onlyStates && !onlyStates.includes(state))) {
    return { id, status: 'refused', state };
  }
  if (to === 'request' && !task.external) {
    if (task.cancelRequestedAt === null) {
      task.cancelRequestedAt = work.now;
      task.updatedAt = work.now;
      markChanged(work, task);
    }
    return { id, status: 'requested', state };
  }
  if (move === 'cancel') cancel(work, task);
  else if (move === 'hold') {
    task.fence += 1;
    hold(work, task, toHoldCode('operator'));
  } else {
    task.fence += 1;
    if (move === 'retry') forgetTries(work, task);
    letWait(work, task);
  }
  return { id, status: 'moved', state: fromStateCode(task.state) };
}

function cancel(work: Work, task: TaskRow): void {
  const to = toStateCode(task.state === RUNNING ? 'terminated' : 'cancelled');
  if (isLiveCode(task.state)) {
    endAttempt(work, task, { outcome: toOutcomeCode('cancelled'), error: null, code: null });
  }
  task.fence += 1;
  finish(work, task, to);
}

function forgetTries(work: Work, task: TaskRow): void {
  if (isFinalCode(task.state)) {
    const { order } = entryOf(work, task).queue;
    const key = task.key === null ? null : fromHex(task.key);
    task.rank = toRankHex(rankOf(order, task.id, key));
  }
  Object.assign(task, { tryCount: 0, lossCount: 0, notBefore: null });
  Object.assign(task, { error: null, code: null, cancelRequestedAt: null });
}

/** Changes fields of one task. */
export function editTask(work: Work, change: TaskChange, task: TaskRow): void {
  const { priority, priorityBy = 0, params, notBefore, labels } = change;
  task.priority = (priority ?? task.priority) + priorityBy;
  if (params !== undefined) {
    task.params = toParamsText(params);
    if (!isLiveCode(task.state)) {
      task.limitKeys = limitKeysFor(entryOf(work, task), { params });
      tellReady(work, task);
    }
  }
  if (labels !== undefined) task.labels = toLabelsText(labels);
  task.updatedAt = work.now;
  markChanged(work, task);
  if (notBefore === undefined) return;
  task.notBefore = notBefore?.getTime() ?? null;
  waitAnew(work, task);
}
