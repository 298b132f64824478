import type { AdmissionStep, NewQueue, QueueStore } from '../../core/store/index.ts';
import { fromDocumentId, toDocumentId } from './ids.ts';
import { isLeaseHeldUnder } from './lease-store.ts';
import { namespaceLock, queueLock } from './locks.ts';
import { isDuplicateKey } from './mongo-error.ts';
import { pageOf } from './page-of.ts';
import { countsOf, countTasks } from './queue-counts.ts';
import { deleteQueue, purgeHidden } from './queue-deletion.ts';
import { type QueueDocument, settingFields } from './queue-document.ts';
import { findQueueByName, findQueues, listQueues } from './queue-lookup.ts';
import { toQueue } from './queue-record.ts';
import { updateQueue } from './queue-update.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { changeTasks } from './task-saving.ts';
import { enqueue, type Work } from './transitions.ts';

export function createQueueStore(steps: Steps): QueueStore {
  const { session } = steps;
  const { spaces } = session;
  return {
    insert: (queue, step) =>
      steps.mutate(step, ({ now }) =>
        session.locks.hold([namespaceLock(queue.namespace)], () =>
          insertQueue(session, queue, now),
        ),
      ),

    find: (namespace, name) =>
      steps.look(async () => {
        const queue = await findQueueByName(spaces.get(namespace), name);
        return queue ? toQueue(queue) : null;
      }),

    list: (namespace, { after, limit }) =>
      steps.look(async () => {
        const queues = (await listQueues(spaces.get(namespace))).map(toQueue);
        return pageOf(queues, { after, limit, cursorOf: ({ name }) => name });
      }),

    update: (change, step) => steps.mutate(step, (work) => updateQueue(session, change, work)),
    delete: (deletion, step) => steps.mutate(step, () => deleteQueue(session, deletion)),
    purge: (step) => steps.take(step, () => purgeHidden(session, step.limit)),

    heads: (namespace, step) =>
      steps.takeAsOfNow(step, async () => {
        const space = spaces.get(namespace);
        const queues = await listQueues(space);
        const counts = await space.counts.get(
          queues.map(({ id }) => id),
          () => countTasks(space, queues),
        );
        return queues.map((queue) => ({ queue: toQueue(queue), counts: getOf(counts, queue.id) }));
      }),

    counts: (wanted, step) =>
      steps.takeAsOfNow(step, async () => {
        const some = wanted === null ? await spaces.all() : [spaces.get(wanted)];
        const ordered = some.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
        const all = [];
        for (const space of ordered) {
          const queues = await listQueues(space);
          const counts = await countTasks(space, queues);
          for (const { namespace, id, name } of queues) {
            all.push({ namespace, queueId: id, queue: name, counts: getOf(counts, id) });
          }
        }
        return all;
      }),

    admit: (admission, step) =>
      steps.mutateAsOfNow(step, (work) => admit(session, admission, work)),
  };
}

async function insertQueue({ spaces, directory }: Session, queue: NewQueue, now: number) {
  const { id, namespace, name } = queue;
  await spaces.ensure(namespace, now);
  const space = spaces.get(namespace);
  // A repeated call finds its own.
  if ((await findQueues(space, [id])).has(id)) return 'inserted';
  if (await findQueueByName(space, name)) return 'exists';
  try {
    await space.queues.insertOne(toDocument(id, name, settingFields(queue, null), now));
  } catch (error) {
    if (isDuplicateKey(error)) return 'exists';
    throw error;
  }
  directory.note(id, namespace);
  return 'inserted';
}

function getOf<Value>(values: ReadonlyMap<string, Value>, id: string): Value {
  const value = values.get(id);
  if (value === undefined) throw new Error(`Queue ${id} was not counted.`);
  return value;
}

function toDocument(
  id: string,
  name: string,
  fields: Record<string, unknown>,
  now: number,
): QueueDocument {
  const { plugin, threads, sort } = fields;
  const at = new Date(now);
  const ours = {
    settings: fields['batchyard.settings'],
    unlimited: fields['batchyard.unlimited'],
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
  const document = { _id: toDocumentId(id), name, plugin, threads, sort, batchyard: ours };
  return document as QueueDocument;
}

async function admit(session: Session, { queueId, limit, lease }: AdmissionStep, work: Work) {
  const found = await session.directory.find(queueId);
  if (!found || found.queue.gone !== null) return 'missing' as const;
  const { space, queue } = found;
  return session.locks.hold([queueLock(queue)], async () => {
    if (lease && !(await isLeaseHeldUnder(session, lease, work.now))) return 'lease-lost' as const;
    const { queued, claimed, running } = await countsOf(space, queue);
    const room = Math.max(0, limit - queued - claimed - running);
    if (room === 0) return { admitted: 0 };
    const held = { queue: queue.documentId, 'batchyard.hold': 'admission' };
    const first = await space.tasks
      .find({ ...held, status: -4 } as object, { projection: { _id: 1 } })
      .sort({ 'batchyard.order': 1 })
      .limit(room)
      .toArray();
    const admitted = await changeTasks(
      space,
      first.map(({ _id }) => fromDocumentId(_id)),
      {
        write: session.newToken(),
        act(task) {
          if (task?.hold !== 'admission') return false;
          enqueue(work, task);
          return true;
        },
      },
    );
    await addStarts(space, work);
    return { admitted: admitted.filter(Boolean).length };
  });
}
