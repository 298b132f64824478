import type { QueueHead, QueueSettings, QueueStore } from '../../core/store/index.ts';
import { admitTasks } from './admission.ts';
import { isAnythingDue, rollDue } from './due.ts';
import { ensureNamespace } from './namespaces.ts';
import { type QueueEntry, toCounts } from './queue-cache.ts';
import { deleteQueue, purgeHidden } from './queue-delete.ts';
import { toSettingsText, updateQueue } from './queue-update.ts';
import type { Steps } from './steps.ts';

const INSERT_SQL = `
  insert into queues (id, namespace, name, created_at, updated_at, settings)
  values (?, ?, ?, ?, ?, ?) returning row`;

export function createQueueStore(steps: Steps): QueueStore {
  const { session, clock, check, look, take, takeAsOfNow, mutate, mutateAsOfNow } = steps;
  const { db, queues } = session;
  return {
    insert: (queue, step) =>
      mutate(step, (now) => {
        const { id, namespace, name } = queue;
        if (queues.findByName(namespace, name)) return 'exists';
        ensureNamespace(session, namespace, now);
        const settings = toSettingsText(queue);
        const added = db.get<{ row: number }>(INSERT_SQL, id, namespace, name, now, now, settings);
        queues.add(added?.row ?? 0, {
          ...(JSON.parse(settings) as QueueSettings),
          id,
          namespace,
          name,
          nextContinuousAt: null,
          revision: 1,
          createdAt: new Date(now),
          updatedAt: new Date(now),
        });
        return 'inserted';
      }),

    find: (namespace, name) =>
      look(() => {
        const entry = queues.findByName(namespace, name);
        return entry?.queue ?? null;
      }),

    list: (namespace, { after, limit }) =>
      look(() => {
        const all = queues.listHere(namespace);
        const from = after === null ? 0 : all.findIndex(({ queue }) => queue.name > after);
        const items = from < 0 ? [] : all.slice(from, from + limit);
        const last = items.at(-1);
        const isMore = last !== undefined && last !== all.at(-1);
        return {
          items: items.map(({ queue }) => queue),
          next: isMore ? last.queue.name : null,
        };
      }),

    update: (change, step) => mutate(step, (now) => updateQueue(session, change, now)),

    delete: (deletion, step) => mutate(step, () => deleteQueue(session, deletion)),

    purge: (step) => take(step, () => purgeHidden(session, step.limit)),

    /**
     * From memory, and at once: a waiting claim that is told of work looks here and claims, and
     * is still in time for the commit that brought the work.
     */
    async heads(namespace, step) {
      check();
      const now = step.now?.getTime() ?? clock.now();
      if (isAnythingDue(session, now)) await take(step, (instant) => rollDue(session, instant));
      return queues.listHere(namespace).map(headOf);
    },

    counts: (wanted, step) =>
      takeAsOfNow(step, () =>
        queues.listHere(wanted).map(({ queue, counts }) => ({
          namespace: queue.namespace,
          queueId: queue.id,
          queue: queue.name,
          counts: toCounts(counts),
        })),
      ),

    admit: (admission, step) => mutateAsOfNow(step, (now) => admitTasks(session, admission, now)),
  };
}

function headOf(entry: QueueEntry): QueueHead {
  entry.head ??= { queue: entry.queue, counts: toCounts(entry.counts) };
  return entry.head;
}
