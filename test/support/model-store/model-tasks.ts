import {
  isFinal,
  type MoveAnswer,
  type MoveStep,
  OPERATOR_MOVES,
  rankOf,
  type TaskChange,
  type TaskFilter,
  type TaskState,
  type TaskStore,
} from '../../../src/core/store/index.ts';
import { fullLimits } from './model-claims.ts';
import { pageOf } from './model-page.ts';
import {
  byPlace,
  compare,
  findTask,
  keysOf,
  type ModelState,
  type TaskRecord,
  toHex,
  toTask,
  toText,
} from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';
import { submit } from './model-submission.ts';
import { endAttempt, finish, hold, letWait, removeTask, waitAnew } from './model-transitions.ts';

export function createModelTasks(steps: ModelSteps): TaskStore {
  const { state, look, take, takeAsOfNow, mutate, mutateAsOfNow } = steps;
  return {
    submit: (submission, step) => mutate(step, (now) => submit(state, submission, now)),

    find: (namespace, id, step) =>
      takeAsOfNow(step, () => {
        const task = findTask(state, namespace, id);
        return task && toTask(task);
      }),

    peek: (namespace, ids) =>
      look(() =>
        ids.map((id) => {
          const task = findTask(state, namespace, id);
          return task && toTask(task);
        }),
      ),

    findByKey: (queueId, key, step) =>
      takeAsOfNow(step, () => {
        const task = state.queues.get(queueId)?.byKey.get(toHex(key));
        return task ? toTask(task) : null;
      }),

    list: (namespace, query, step) =>
      takeAsOfNow(step, () => {
        const { after, limit, sort, direction } = query;
        const tasks = [...state.tasks.values()].filter(
          (task) =>
            task.queue.namespace === namespace &&
            (sort === 'id' || task.key !== null) &&
            matches(task, query),
        );
        const cursorOf = (task: TaskRecord) => (sort === 'id' ? task.id : (task.key ?? ''));
        const order = { after, limit, cursorOf, descending: direction === 'desc' };
        const page = pageOf(tasks, order);
        return { items: page.items.map(toTask), next: page.next };
      }),

    move: (request, step) =>
      mutateAsOfNow(step, (now) => request.ids.map((id) => move(state, request, id, now))),

    edit: ({ namespace, ids, change }, step) =>
      mutateAsOfNow(step, (now) =>
        ids.map((id) => {
          const task = findTask(state, namespace, id);
          if (!task) return null;
          edit(state, task, change, now);
          return toTask(task);
        }),
      ),

    delete: ({ namespace, ids, onlyStates }, step) =>
      mutateAsOfNow(step, () => {
        const tasks = [...new Set(ids)]
          .map((id) => findTask(state, namespace, id))
          .filter((task) => task !== null)
          .filter((task) => !onlyStates || onlyStates.includes(task.state));
        for (const task of tasks) removeTask(state, task);
        return tasks.length;
      }),

    purge: ({ queueId, states, endedBefore, limit }, step) =>
      take(step, () => {
        const ended = [...(state.queues.get(queueId)?.tasks ?? [])]
          .filter((task) => isFinal(task.state) && states.includes(task.state))
          .filter((task) => (task.endedAt ?? 0) < endedBefore.getTime())
          .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || compare(a.id, b.id))
          .slice(0, limit);
        for (const task of ended) removeTask(state, task);
        return ended.length;
      }),

    position: (id, limit, step) =>
      takeAsOfNow(step, (now) => {
        const task = state.tasks.get(id);
        if (task?.state !== 'queued' || task.queue.deleted) return null;
        const ahead = [...task.queue.tasks].filter(
          (other) => other.state === 'queued' && byPlace(other, task) < 0,
        );
        return {
          ahead: Math.min(ahead.length, limit),
          fullLimits: fullLimits(task.queue, keysOf(task), now),
        };
      }),
  };
}

function matches(task: TaskRecord, filter: TaskFilter): boolean {
  const { queueIds, states, ids, keys, labels, node, createdAfter, createdBefore } = filter;
  const taskLabels = JSON.parse(task.labels);
  return (
    (!queueIds || queueIds.includes(task.queue.id)) &&
    (!states || states.includes(task.state)) &&
    (!ids || ids.includes(task.id)) &&
    (!keys || keys.some((key) => toHex(key) === task.key)) &&
    Object.entries(labels ?? {}).every(
      ([name, value]) => Object.hasOwn(taskLabels, name) && taskLabels[name] === value,
    ) &&
    (node === undefined || task.live?.node === node) &&
    (filter.hold === undefined || task.hold === filter.hold) &&
    (!createdAfter || task.createdAt > createdAfter.getTime()) &&
    (!createdBefore || task.createdAt < createdBefore.getTime()) &&
    (filter.search === undefined || mentions(task, filter.search))
  );
}

function mentions(task: TaskRecord, text: string): boolean {
  const key = Buffer.from(task.key ?? '', 'hex');
  return (
    (task.key !== null && key.includes(Buffer.from(text, 'utf8'))) ||
    task.error?.includes(text) === true ||
    task.params.includes(text)
  );
}

function move(state: ModelState, request: MoveStep, id: string, now: number): MoveAnswer {
  const task = findTask(state, request.namespace, id);
  if (!task) return { id, status: 'missing', state: null };
  const moves: Partial<Record<TaskState, TaskState | 'waiting' | 'request'>> =
    OPERATOR_MOVES[request.move];
  const to = moves[task.state];
  const isAmong = !request.onlyStates || request.onlyStates.includes(task.state);
  if (!to || !isAmong) return { id, status: 'refused', state: task.state };

  if (to === 'request' && !task.external) {
    if (task.cancelRequestedAt === null) {
      task.cancelRequestedAt = now;
      task.updatedAt = now;
    }
    return { id, status: 'requested', state: task.state };
  }
  task.fence += 1;
  if (request.move === 'cancel') cancel(state, task, now);
  else if (request.move === 'hold') hold(task, 'operator', now);
  else {
    if (request.move === 'retry') forgetTries(task);
    letWait(state, task, now);
  }
  return { id, status: 'moved', state: task.state };
}

function cancel(state: ModelState, task: TaskRecord, now: number): void {
  const to = task.state === 'running' ? 'terminated' : 'cancelled';
  const ending = { outcome: 'cancelled', error: null, code: null } as const;
  if (task.live) endAttempt(state, task, ending, now);
  finish(state, task, to, now);
}

function forgetTries(task: TaskRecord): void {
  if (isFinal(task.state)) {
    const key = task.key === null ? null : Buffer.from(task.key, 'hex');
    task.rank = toHex(rankOf(task.queue.settings.order, task.id, key));
  }
  Object.assign(task, { tryCount: 0, lossCount: 0, notBefore: null });
  Object.assign(task, { error: null, code: null, cancelRequestedAt: null });
}

function edit(state: ModelState, task: TaskRecord, change: TaskChange, now: number): void {
  const { priority, priorityBy, params, notBefore, labels } = change;
  if (priority !== undefined) task.priority = priority;
  if (priorityBy !== undefined) task.priority += priorityBy;
  if (params !== undefined) task.params = toText(params);
  if (labels !== undefined) task.labels = toText(labels);
  task.updatedAt = now;
  if (notBefore === undefined) return;
  task.notBefore = notBefore?.getTime() ?? null;
  waitAnew(state, task, now);
}
