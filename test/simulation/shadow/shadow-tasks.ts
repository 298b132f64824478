import type { Task } from '../../../src/core/domain/task.ts';
import type {
  DeleteStep,
  EditStep,
  MoveAnswer,
  MoveStep,
  PurgeStep,
} from '../../../src/core/store/task-store.ts';
import { insist } from '../violation.ts';
import { rankIn } from './shadow-queues.ts';
import {
  describeTask,
  hasEnded,
  jsonOf,
  msOf,
  type Shadow,
  type ShadowTask,
} from './shadow-record.ts';
import {
  catchUp,
  end,
  finish,
  goWait,
  hold,
  reconsiderWait,
  remove,
} from './shadow-transitions.ts';

export function onMove(
  shadow: Shadow,
  request: MoveStep,
  answers: readonly MoveAnswer[],
  now: number,
): void {
  catchUp(shadow, now);
  insist(answers.length === request.ids.length, 'answer as promised', () => 'one answer per id');
  for (const [index, id] of request.ids.entries()) {
    const task = shadow.tasks.get(id) ?? null;
    const status = task === null ? 'missing' : move(shadow, task, request, now);
    shadow.sometimes.hit(`${request.move} ${status}`);
    const expected = { id, status, state: task?.state ?? null };
    insist(
      jsonOf(answers[index]) === jsonOf(expected),
      'answer as promised',
      () => `${request.move}: ${jsonOf(answers[index])}, should be ${jsonOf(expected)}`,
    );
  }
}

function move(
  shadow: Shadow,
  task: ShadowTask,
  { move: wish, onlyStates }: MoveStep,
  now: number,
): MoveAnswer['status'] {
  if (onlyStates && !onlyStates.includes(task.state)) return 'refused';
  switch (wish) {
    case 'cancel':
      return cancel(shadow, task, now);
    case 'hold':
      if (!['queued', 'delayed', 'held'].includes(task.state)) return 'refused';
      task.fence += 1;
      hold(shadow, task, 'operator');
      return 'moved';
    case 'release':
      if (task.state !== 'held') return 'refused';
      task.fence += 1;
      goWait(shadow, task, now);
      return 'moved';
    case 'retry':
      if (task.state !== 'delayed' && !hasEnded(task)) return 'refused';
      if (hasEnded(task)) task.rank = rankIn(task.queue, task);
      task.fence += 1;
      task.tryCount = 0;
      task.lossCount = 0;
      task.notBefore = null;
      task.error = null;
      task.code = null;
      task.cancelRequestedAt = null;
      goWait(shadow, task, now);
      return 'moved';
  }
}

function cancel(shadow: Shadow, task: ShadowTask, now: number): MoveAnswer['status'] {
  if (hasEnded(task) && task.state !== 'orphaned') return 'refused';
  if (task.state === 'running' && !task.isExternal) {
    shadow.touched.add(task);
    task.cancelRequestedAt ??= now;
    return 'requested';
  }
  if (task.state === 'claimed') shadow.sometimes.hit('cancel met a claimed task');
  const to = task.state === 'running' ? 'terminated' : 'cancelled';
  task.fence += 1;
  if (task.live) end(shadow, task, { outcome: 'cancelled', error: null, code: null }, now);
  finish(shadow, task, to, now);
  return 'moved';
}

export function onEdit(
  shadow: Shadow,
  { ids, change }: EditStep,
  answers: readonly (Task | null)[],
  now: number,
): void {
  catchUp(shadow, now);
  for (const [index, id] of ids.entries()) {
    const task = shadow.tasks.get(id) ?? null;
    insist(
      (answers[index] === null) === (task === null),
      'answer as promised',
      () => `edit of ${id} answered ${jsonOf(answers[index])}`,
    );
    if (task === null) continue;
    shadow.touched.add(task);
    if (change.priority !== undefined) task.priority = change.priority;
    task.priority += change.priorityBy ?? 0;
    if (change.params !== undefined) task.params = jsonOf(change.params);
    if (change.notBefore === undefined) continue;
    task.notBefore = msOf(change.notBefore);
    reconsiderWait(shadow, task, now);
  }
}

export function onDelete(
  shadow: Shadow,
  { ids, onlyStates }: DeleteStep,
  count: number,
  now: number,
): void {
  catchUp(shadow, now);
  let deleted = 0;
  for (const id of new Set(ids)) {
    const task = shadow.tasks.get(id);
    if (!task || (onlyStates && !onlyStates.includes(task.state))) continue;
    remove(shadow, task);
    deleted += 1;
  }
  if (deleted > 0) shadow.sometimes.hit('task deleted');
  insist(count === deleted, 'answer as promised', () => `${count} deleted, should be ${deleted}`);
}

export function onPurge(
  shadow: Shadow,
  { queueId, states, endedBefore, limit }: PurgeStep,
  count: number,
): void {
  const old = [...(shadow.queues.get(queueId)?.tasks ?? [])]
    .filter((task) => hasEnded(task) && states.includes(task.state))
    .filter(({ endedAt }) => (endedAt ?? 0) < endedBefore.getTime())
    .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  for (const task of old) remove(shadow, task);
  if (old.length > 0) shadow.sometimes.hit('ended tasks purged');
  insist(
    count === old.length,
    'answer as promised',
    () => `${count} purged, should be ${old.length}`,
  );
}

/** That a task as the store tells it is the task as the shadow knows it. */
export function checkTask(id: string, given: Task | null, known: ShadowTask | null): void {
  if (given === null || known === null) {
    const isEmission = known?.params.includes('"emitted') ?? false;
    insist(
      given === null && known === null,
      given === null
        ? isEmission
          ? 'emissions once'
          : 'acknowledged exists'
        : 'record as promised',
      () =>
        `task ${id} is ${given ? 'there' : 'missing'}, and should be ${known ? 'there' : 'gone'}`,
    );
    return;
  }
  const differences = differencesOf(given, known);
  if (differences.length === 0) return;
  insist(
    given.fence === known.fence,
    'growing fence',
    () => `${describeTask(known)}: fence ${given.fence}, should be ${known.fence}`,
  );
  insist(
    false,
    given.state === known.state ? 'record as promised' : 'legal moves',
    () => `${describeTask(known)}: ${differences.join('; ')}`,
  );
}

function differencesOf(given: Task, known: ShadowTask): string[] {
  const { attempt } = given;
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['state', given.state, known.state],
    ['hold', given.hold, known.hold],
    ['queue', given.queueId, known.queue.id],
    ['params', jsonOf(given.params), known.params],
    ['result', jsonOf(given.result), known.result],
    ['error', given.error, known.error],
    ['code', given.code, known.code],
    ['priority', given.priority, known.priority],
    ['notBefore', msOf(given.notBefore), known.notBefore],
    ['fence', given.fence, known.fence],
    ['claimCount', given.claimCount, known.claimCount],
    ['tryCount', given.tryCount, known.tryCount],
    ['lossCount', given.lossCount, known.lossCount],
    ['roundCount', given.roundCount, known.roundCount],
    ['lastOutcome', given.lastOutcome, known.lastOutcome],
    ['cancelRequestedAt', msOf(given.cancelRequestedAt), known.cancelRequestedAt],
    ['endedAt', msOf(given.endedAt), known.endedAt],
    ['attempt', attempt?.fence ?? null, known.live?.fence ?? null],
    ['node', attempt?.node ?? null, known.live?.node ?? null],
    ['claimedAt', msOf(attempt?.claimedAt), known.live?.claimedAt ?? null],
    ['startedAt', msOf(attempt?.startedAt), known.live?.startedAt ?? null],
    ['expiresAt', msOf(attempt?.expiresAt), known.live?.expiresAt ?? null],
  ];
  return pairs
    .filter(([, is, should]) => is !== should)
    .map(([name, is, should]) => `${name} is ${is}, should be ${should}`);
}
