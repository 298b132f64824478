import type { Attempt } from '../../../src/core/domain/attempt.ts';
import type {
  AttemptRef,
  HoldAnswer,
  RenewItem,
  SettleAnswer,
  Settlement,
} from '../../../src/core/store/attempt-store.ts';
import { insist } from '../violation.ts';
import {
  describeTask,
  hexOf,
  jsonOf,
  msOf,
  type Shadow,
  type ShadowAttempt,
  type ShadowTask,
} from './shadow-record.ts';
import { onEmission } from './shadow-submissions.ts';
import { catchUp, end, finish, goOn, lose, setState } from './shadow-transitions.ts';

interface Held {
  readonly task: ShadowTask;
  readonly live: ShadowAttempt;
}

/** The attempt that is meant, if it is the live one: everything else is stale. */
function findHeld(shadow: Shadow, { taskId, fence }: AttemptRef): Held | null {
  const task = shadow.tasks.get(taskId);
  if (!task?.live || (fence !== null && task.live.fence !== fence)) return null;
  return { task, live: task.live };
}

export function onStart(
  shadow: Shadow,
  items: readonly AttemptRef[],
  answers: readonly HoldAnswer[],
  now: number,
): void {
  eachHeld(shadow, items, answers, (held, item, answer) => {
    if (held === null) shadow.sometimes.hit('start refused');
    if (held?.task.cancelRequestedAt === null && held.live.startedAt === null) {
      held.live.startedAt = now;
      setState(shadow, held.task, 'running');
    }
    checkHold(held, item, answer);
  });
}

export function onRenew(
  shadow: Shadow,
  items: readonly RenewItem[],
  answers: readonly HoldAnswer[],
  now: number,
): void {
  eachHeld(shadow, items, answers, (held, item, answer) => {
    if (held === null) {
      shadow.sometimes.hit('renewal refused');
      return checkHold(held, item, answer);
    }
    const { task, live } = held;
    shadow.touched.add(task);
    if (item.data !== undefined) task.result = jsonOf(item.data);
    if (item.leaseMs <= 0) {
      shadow.sometimes.hit('lease given up');
      lose(shadow, task, now);
      return checkHold(null, { taskId: task.id, fence: live.fence }, answer);
    }
    if (live.expiresAt !== null) {
      if (live.expiresAt <= now) shadow.sometimes.hit('renewed after its end, still held');
      live.expiresAt = now + item.leaseMs;
    }
    checkHold(held, item, answer);
  });
}

function eachHeld<Item extends AttemptRef>(
  shadow: Shadow,
  items: readonly Item[],
  answers: readonly HoldAnswer[],
  visit: (held: Held | null, item: Item, answer: HoldAnswer) => void,
): void {
  insist(answers.length === items.length, 'answer as promised', () => 'one answer per item');
  for (const [index, item] of items.entries()) {
    visit(findHeld(shadow, item), item, answers[index] as HoldAnswer);
  }
}

function checkHold(held: Held | null, item: AttemptRef, answer: HoldAnswer): void {
  const isAccepted = answer.status !== 'lost';
  insist(
    isAccepted === (held !== null),
    'current fence',
    () =>
      `${jsonOf(answer)} for fence ${item.fence} of ${held ? describeTask(held.task) : item.taskId}`,
  );
  const expected = held
    ? {
        fence: held.live.fence,
        status: held.task.cancelRequestedAt === null ? 'held' : 'cancelled',
        expiresAt: held.live.expiresAt,
      }
    : { fence: item.fence ?? 0, status: 'lost', expiresAt: null };
  const given = { fence: answer.fence, status: answer.status, expiresAt: msOf(answer.expiresAt) };
  insist(
    answer.taskId === item.taskId && jsonOf(given) === jsonOf(expected),
    'answer as promised',
    () => `${jsonOf(given)}, should be ${jsonOf(expected)}`,
  );
}

export function onSettle(
  shadow: Shadow,
  items: readonly Settlement[],
  answers: readonly SettleAnswer[],
  now: number,
): void {
  insist(answers.length === items.length, 'answer as promised', () => 'one answer per item');
  for (const [index, item] of items.entries()) {
    const { sometimes } = shadow;
    const answer = answers[index] as SettleAnswer;
    const fence = item.fence ?? shadow.tasks.get(item.taskId)?.live?.fence ?? 0;
    const status = settle(shadow, item, fence, now);
    sometimes.hit(`settlement ${status}`);
    if (status !== 'applied') {
      for (const { task } of item.emit) shadow.refused.set(task.id, 'emissions once');
    }
    insist(
      answer.status === status,
      status === 'applied' || answer.status === 'applied' ? 'current fence' : 'one outcome',
      () => `fence ${fence} of ${item.taskId} (${item.outcome}): ${answer.status}, not ${status}`,
    );
    insist(
      answer.fence === fence && answer.taskId === item.taskId,
      'answer as promised',
      () => `${jsonOf(answer)} for fence ${fence} of ${item.taskId}`,
    );
  }
  for (const answer of answers) {
    const state = shadow.tasks.get(answer.taskId)?.state ?? null;
    insist(
      answer.state === state,
      'answer as promised',
      () => `${answer.taskId} is said to be ${answer.state} after the step, it is ${state}`,
    );
  }
}

function settle(
  shadow: Shadow,
  item: Settlement,
  fence: number,
  now: number,
): SettleAnswer['status'] {
  const { sometimes } = shadow;
  const task = shadow.tasks.get(item.taskId);
  if (task?.live && task.live.fence === fence) {
    apply(shadow, task, item, now);
    return 'applied';
  }
  const ended = task?.ended.get(fence);
  if (!task || !ended) return 'lost';
  if (ended.outcome === item.outcome || ended.late === item.outcome) return 'repeated';
  if (ended.late !== null) return 'lost';
  ended.late = item.outcome;
  const isLast = Math.max(...task.ended.keys()) === fence;
  const isOpen = task.live === null && (task.state === 'failed' || task.state === 'orphaned');
  if (item.outcome !== 'succeeded' || !isLast || !isOpen) return 'late';
  sometimes.hit('late success counted');
  if (item.data !== undefined) task.result = jsonOf(item.data);
  task.error = item.error;
  task.code = item.code;
  task.lastOutcome = 'succeeded';
  finish(shadow, task, 'succeeded', now);
  for (const emission of item.emit) onEmission(shadow, emission, now);
  return 'applied';
}

function apply(shadow: Shadow, task: ShadowTask, item: Settlement, now: number): void {
  const { outcome, data, error, code, again, next } = item;
  const { sometimes } = shadow;
  sometimes.hit(`attempt ${outcome}`);
  if (task.isExternal) sometimes.hit('external task ended');
  if (task.live?.expiresAt != null && task.live.expiresAt <= now) {
    sometimes.hit('settled after its end, still held');
  }
  if (next.state === 'failed' && error === 'too many retries') sometimes.hit('too many claims');
  end(
    shadow,
    task,
    { outcome, error, code, ...(data !== undefined && { data: jsonOf(data) }) },
    now,
  );
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) task.rank = hexOf(again.rank);
  if (again?.params !== undefined) task.params = jsonOf(again.params);
  goOn(shadow, task, next, now);
  for (const emission of item.emit) onEmission(shadow, emission, now);
}

export function onListAttempts(
  shadow: Shadow,
  taskId: string,
  attempts: readonly Attempt[],
  now: number,
): void {
  catchUp(shadow, now);
  const task = shadow.tasks.get(taskId);
  const given = attempts.map(({ fence, node, outcome, endedAt, late }) => [
    fence,
    node,
    outcome,
    msOf(endedAt),
    late?.outcome ?? null,
  ]);
  const known = [...(task?.ended ?? [])].map(([fence, { node, outcome, endedAt, late }]) => [
    fence,
    node,
    outcome,
    endedAt,
    late,
  ]);
  if (task?.live) known.push([task.live.fence, task.live.node, null, null, null]);
  insist(
    jsonOf(given) === jsonOf(known),
    'one outcome',
    () => `attempts of ${taskId}: ${jsonOf(given)}, should be ${jsonOf(known)}`,
  );
}
