import type {
  Attempt,
  AttemptRef,
  AttemptStore,
  HoldAnswer,
  RenewItem,
  SettleAnswer,
  Settlement,
} from '../../../src/core/store/index.ts';
import { createModelClaims } from './model-claims.ts';
import { pageOf } from './model-page.ts';
import {
  compare,
  findQueue,
  findTask,
  type LiveRecord,
  type ModelState,
  type TaskRecord,
  toAttempt,
  toDate,
  toHex,
  toText,
} from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';
import { addTask } from './model-submission.ts';
import {
  delayEnd,
  endAttempt,
  finish,
  follow,
  leaseEnd,
  lose,
  rollDue,
  startAttempt,
} from './model-transitions.ts';

export function createModelAttempts(steps: ModelSteps): AttemptStore {
  const { state, look, take, takeAsOfNow } = steps;
  return {
    ...createModelClaims(steps),

    start: (namespace, items, step) =>
      take(step, (now) =>
        items.map((item) =>
          withLive(state, namespace, item, (task, live) => {
            if (task.cancelRequestedAt === null) startAttempt(task, live, now);
            return held(task, live);
          }),
        ),
      ),

    renew: (namespace, items, step) =>
      take(step, (now) =>
        items.map((item) =>
          withLive(state, namespace, item, (task, live) => renew(state, task, { live, item }, now)),
        ),
      ),

    settle: (namespace, items, step) =>
      take(step, (now) => {
        const answers = items.map((item) => settle(state, namespace, item, now));
        return answers.map((answer) => ({
          ...answer,
          state: findTask(state, namespace, answer.taskId)?.state ?? null,
        }));
      }),

    expireDue: (step) => take(step, (now) => rollDue(state, now, step.limit)),

    nextDue: (namespace) =>
      look(() => {
        const tasks = [...state.tasks.values()].filter((one) => one.queue.namespace === namespace);
        const ends = tasks.flatMap((task) => [leaseEnd(task), delayEnd(task)]);
        return toDate(ends.filter((end) => end !== null).sort(compare)[0] ?? null);
      }),

    list: (namespace, taskId, step) =>
      takeAsOfNow(step, () => {
        const task = findTask(state, namespace, taskId);
        if (!task) return [];
        const all = task.live ? [...task.ended, task.live] : task.ended;
        return all.map((attempt) => toAttempt(task, attempt));
      }),

    listByNode: (namespace, { node, live, after, limit }, step) =>
      takeAsOfNow(step, () => {
        const attempts = [...state.tasks.values()]
          .filter((task) => task.queue.namespace === namespace)
          .flatMap((task) => {
            const some = live ? (task.live ? [task.live] : []) : task.ended;
            return some.filter((one) => one.node === node).map((one) => toAttempt(task, one));
          });
        return pageOf(attempts, { after, limit, cursorOf: endCursor });
      }),
  };
}

/** Sorts the newest end first; equal ends by task and fence. */
function endCursor({ endedAt, taskId, fence }: Attempt): string {
  const age = Number.MAX_SAFE_INTEGER - (endedAt?.getTime() ?? 0);
  return `${age}-${taskId}-${String(fence).padStart(10, '0')}`;
}

function withLive(
  state: ModelState,
  namespace: string,
  { taskId, fence }: AttemptRef,
  act: (task: TaskRecord, live: LiveRecord) => HoldAnswer,
): HoldAnswer {
  const task = findTask(state, namespace, taskId);
  if (task?.live && (fence === null || task.live.fence === fence)) return act(task, task.live);
  return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
}

function held({ id, cancelRequestedAt }: TaskRecord, { fence, expiresAt }: LiveRecord): HoldAnswer {
  const status = cancelRequestedAt === null ? 'held' : 'cancelled';
  return { taskId: id, fence, status, expiresAt: toDate(expiresAt) };
}

function renew(
  state: ModelState,
  task: TaskRecord,
  { live, item }: { readonly live: LiveRecord; readonly item: RenewItem },
  now: number,
): HoldAnswer {
  if (item.data !== undefined) {
    task.result = toText(item.data);
    task.updatedAt = now;
  }
  if (item.leaseMs <= 0) {
    lose(state, task, now);
    return { taskId: task.id, fence: live.fence, status: 'lost', expiresAt: null };
  }
  if (live.expiresAt !== null) live.expiresAt = now + item.leaseMs;
  return held(task, live);
}

type Settled = Omit<SettleAnswer, 'state'>;

function settle(state: ModelState, namespace: string, item: Settlement, now: number): Settled {
  const { taskId } = item;
  const task = findTask(state, namespace, taskId);
  const fence = item.fence ?? task?.live?.fence ?? 0;
  if (task?.live && task.live.fence === fence) {
    apply(state, task, item, now);
    return { taskId, fence, status: 'applied' };
  }
  const ended = task?.ended.find((attempt) => attempt.fence === fence);
  if (!task || !ended) return { taskId, fence, status: 'lost' };
  if (ended.outcome === item.outcome || ended.late?.outcome === item.outcome) {
    return { taskId, fence, status: 'repeated' };
  }
  if (ended.late) return { taskId, fence, status: 'lost' };
  ended.late = { outcome: item.outcome, data: toText(item.data), at: now };
  const isOpenToSuccess = task.state === 'failed' || task.state === 'orphaned';
  if (item.outcome !== 'succeeded' || !isOpenToSuccess || task.ended.at(-1) !== ended) {
    return { taskId, fence, status: 'late' };
  }
  if (item.data !== undefined) task.result = toText(item.data);
  task.error = item.error;
  task.code = item.code;
  task.lastOutcome = 'succeeded';
  finish(state, task, 'succeeded', now);
  emit(state, task.queue.namespace, item, now);
  return { taskId, fence, status: 'applied' };
}

function apply(state: ModelState, task: TaskRecord, item: Settlement, now: number): void {
  const { outcome, data, error, code, again } = item;
  endAttempt(
    state,
    task,
    { outcome, error, code, ...(data !== undefined && { data: toText(data) }) },
    now,
  );
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) task.rank = toHex(again.rank);
  if (again?.params !== undefined) task.params = toText(again.params);
  follow(state, task, item.next, now);
  emit(state, task.queue.namespace, item, now);
}

function emit(state: ModelState, namespace: string, item: Settlement, now: number): void {
  for (const { queueId, ...emission } of item.emit) {
    const queue = findQueue(state, queueId);
    if (queue?.namespace === namespace) addTask(state, queue, emission, now);
  }
}
