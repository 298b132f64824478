import {
  noCounts,
  type QueueChange,
  type QueueStore,
  type QueueUpdate,
  rankOf,
} from '../../../src/core/store/index.ts';
import type { HeldLeases } from './model-leases.ts';
import { pageOf } from './model-page.ts';
import {
  byPlace,
  findQueue,
  keysOf,
  type ModelState,
  type QueueRecord,
  queuesOf,
  toHex,
  toQueue,
  toSettings,
} from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';
import { enqueue, letWait, removeTask } from './model-transitions.ts';

export function createModelQueues(steps: ModelSteps, leases: HeldLeases): QueueStore {
  const { state, look, take, takeAsOfNow, mutate, mutateAsOfNow } = steps;
  return {
    insert: (queue, step) =>
      mutate(step, (now) => {
        const { id, namespace, name } = queue;
        if (queuesOf(state, namespace).some((one) => one.name === name)) return 'exists';
        if (!state.namespaces.has(namespace)) state.namespaces.set(namespace, now);
        state.queues.set(id, {
          id,
          namespace,
          name,
          settings: toSettings(queue),
          nextContinuousAt: null,
          revision: 1,
          createdAt: now,
          updatedAt: now,
          deleted: false,
          hidden: false,
          counts: noCounts(),
          tasks: new Set(),
          byKey: new Map(),
          starts: new Map(),
        });
        return 'inserted';
      }),

    find: (namespace, name) =>
      look(() => {
        const queue = queuesOf(state, namespace).find((one) => one.name === name);
        return queue ? toQueue(queue) : null;
      }),

    list: (namespace, { after, limit }) =>
      look(() => {
        const queues = queuesOf(state, namespace).map(toQueue);
        return pageOf(queues, { after, limit, cursorOf: ({ name }) => name });
      }),

    update: (change, step) => mutate(step, (now) => update(state, change, now)),

    delete: ({ id, tasks: wish }, step) =>
      mutate(step, () => {
        const queue = findQueue(state, id);
        if (!queue) return { status: 'missing' };
        const tasks = queue.tasks.size;
        if (wish === 'refuse' && tasks > 0) return { status: 'refused', tasks };
        queue.deleted = true;
        if (wish === 'delete') hideTasks(state, queue);
        return { status: 'deleted', tasks };
      }),

    purge: (step) =>
      take(step, () => {
        const purged = Math.min(state.hiddenCount, step.limit);
        state.hiddenCount -= purged;
        return purged;
      }),

    heads: (namespace, step) =>
      takeAsOfNow(step, () =>
        queuesOf(state, namespace).map((queue) => ({
          queue: toQueue(queue),
          counts: { ...queue.counts },
        })),
      ),

    counts: (wanted, step) =>
      takeAsOfNow(step, () =>
        queuesOf(state, wanted).map(({ namespace, id, name, counts }) => ({
          namespace,
          queueId: id,
          queue: name,
          counts: { ...counts },
        })),
      ),

    admit: ({ queueId, limit, lease }, step) =>
      mutateAsOfNow(step, (now) => {
        const queue = findQueue(state, queueId);
        if (!queue) return 'missing';
        if (lease && !leases.isHeldUnder(lease.name, lease.term, now)) return 'lease-lost';
        const { queued, claimed, running } = queue.counts;
        const admitted = [...queue.tasks]
          .filter((task) => task.hold === 'admission')
          .sort(byPlace)
          .slice(0, Math.max(0, limit - queued - claimed - running));
        for (const task of admitted) enqueue(state, task, now);
        return { admitted: admitted.length };
      }),
  };
}

/** Its tasks are found no more, and their rows wait to be purged. */
export function hideTasks(state: ModelState, queue: QueueRecord): void {
  queue.hidden = true;
  for (const task of queue.tasks) {
    removeTask(state, task);
    state.hiddenCount += 1;
  }
}

function update(state: ModelState, change: QueueChange, now: number): QueueUpdate {
  const queue = findQueue(state, change.id);
  if (!queue) return { status: 'missing' };
  if (queue.revision !== change.revision) return { status: 'changed', revision: queue.revision };

  const { order: oldOrder, limits: oldLimits } = queue.settings;
  queue.settings = toSettings(change.settings);
  queue.revision += 1;
  queue.updatedAt = now;
  if (change.nextContinuousAt !== undefined) {
    queue.nextContinuousAt = change.nextContinuousAt?.getTime() ?? null;
  }
  const { order, admission, limits } = queue.settings;
  const isLimitedAnew = JSON.stringify(limits) !== JSON.stringify(oldLimits);
  for (const task of queue.tasks) {
    if (order !== oldOrder && task.endedAt === null) {
      const key = task.key === null ? null : Buffer.from(task.key, 'hex');
      task.rank = toHex(rankOf(order, task.id, key));
    }
    if (isLimitedAnew && task.live) task.live.limitKeys = keysOf(task);
    if (admission === 'open' && task.hold === 'admission') letWait(state, task, now);
  }
  state.changes.push({ kind: 'ready', namespace: queue.namespace, queueId: queue.id });
  return { status: 'updated', queue: toQueue(queue) };
}
