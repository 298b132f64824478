import {
  type DeleteStep,
  isFinal,
  type MoveAnswer,
  type PurgeStep,
  type TaskStore,
} from '../../core/store/index.ts';
import { type DocumentId, fromDocumentId } from './ids.ts';
import { fullLimits } from './keyed-rooms.ts';
import { toHex } from './new-record.ts';
import { findSpaceOf } from './output-store.ts';
import { orderOf } from './place.ts';
import { findTasks, toRecords } from './queue-lookup.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { QUEUED, statusFilter } from './status-codes.ts';
import type { Steps } from './steps.ts';
import { createSubmitGroup } from './submit-group.ts';
import { listTasks } from './task-list.ts';
import { editTask, moveTask } from './task-move.ts';
import { fromTaskDocument } from './task-reading.ts';
import { type TaskRecord, toTask } from './task-record.ts';
import { deleteTasks } from './task-removal.ts';
import { changeTasks } from './task-saving.ts';
import { keysOf, type Work } from './transitions.ts';

export function createTaskStore(steps: Steps): TaskStore {
  const { session } = steps;
  const { spaces } = session;
  return {
    submit: createSubmitGroup(steps),

    find: (namespace, id, step) =>
      steps.takeAsOfNow(step, async () => {
        const task = (await findTasks(spaces.get(namespace), [id])).get(id);
        return task ? toTask(task) : null;
      }),

    peek: (namespace, ids) =>
      steps.look(async () => {
        const tasks = await findTasks(spaces.get(namespace), ids);
        return ids.map((id) => {
          const task = tasks.get(id);
          return task ? toTask(task) : null;
        });
      }),

    findByKey: (queueId, key, step) =>
      steps.takeAsOfNow(step, async () => {
        const found = await session.directory.find(queueId);
        if (!found) return null;
        const { space, queue } = found;
        const filter = { queue: queue.documentId, 'batchyard.key': toHex(key) };
        const document = await space.tasks.findOne(filter);
        const [task] = document ? await toRecords(space, [document]) : [];
        return task ? toTask(task) : null;
      }),

    list: (namespace, query, step) =>
      steps.takeAsOfNow(step, () => listTasks(spaces.get(namespace), query)),

    move: (request, step) =>
      steps.mutateAsOfNow(step, async (work) => {
        const { namespace, ids } = request;
        const space = spaces.get(namespace);
        const answers = await changeTasks<MoveAnswer>(space, ids, {
          write: session.newToken(),
          act: (task, at) =>
            task
              ? moveTask(work, task, request)
              : { id: ids[at] ?? '', status: 'missing', state: null },
        });
        await addStarts(space, work);
        return answers;
      }),

    edit: ({ namespace, ids, change }, step) =>
      steps.mutateAsOfNow(step, async (work) => {
        const space = spaces.get(namespace);
        const answers = await changeTasks(space, ids, {
          write: session.newToken(),
          act(task) {
            if (!task) return null;
            editTask(work, task, change);
            return toTask(task);
          },
        });
        await addStarts(space, work);
        return answers;
      }),

    delete: (deletion, step) => steps.mutateAsOfNow(step, () => deleteWanted(session, deletion)),
    purge: (purge, step) => steps.take(step, () => purgeEnded(session, purge)),

    position: (id, limit, step) =>
      steps.takeAsOfNow(step, (work) => findPosition(session, { id, limit }, work)),
  };
}

async function deleteWanted(
  { spaces }: Session,
  { namespace, ids, onlyStates }: DeleteStep,
): Promise<number> {
  const space = spaces.get(namespace);
  const tasks = [...(await findTasks(space, ids)).values()];
  return deleteTasks(
    space,
    tasks.map(({ id }) => id),
    onlyStates ? statusFilter(onlyStates) : {},
  );
}

async function purgeEnded(
  { directory }: Session,
  { queueId, states, endedBefore, limit }: PurgeStep,
): Promise<number> {
  const found = await directory.find(queueId);
  if (!found || found.queue.gone === 'delete') return 0;
  const { space, queue } = found;
  const final = states.filter(isFinal);
  // What other programs ended stays: their tasks have no end of ours.
  const documents = await space.tasks
    .find({
      $and: [
        { queue: queue.documentId, 'batchyard.endedAt': { $lt: endedBefore } },
        statusFilter(final),
      ],
    })
    .project<{ _id: DocumentId }>({ _id: 1 })
    .sort({ 'batchyard.endedAt': 1 })
    .limit(limit)
    .toArray();
  const ids = documents.map(({ _id }) => fromDocumentId(_id));
  return deleteTasks(space, ids, statusFilter(final));
}

async function findPosition(
  session: Session,
  { id, limit }: { readonly id: string; readonly limit: number },
  { now }: Work,
) {
  const space = await findSpaceOf(session, id);
  const task = space && (await findTasks(space, [id])).get(id);
  if (!space || task?.state !== 'queued' || task.queue.gone !== null) return null;
  return {
    ahead: await countAhead(space, task, limit),
    fullLimits: await fullLimits(space, { queue: task.queue, keys: keysOf(task), now }),
  };
}

/** Tasks of other programs have no order of ours: their places are worked out here. */
const MOST_FOREIGN = 10_000;

async function countAhead({ tasks }: Space, task: TaskRecord, limit: number): Promise<number> {
  if (limit === 0) return 0;
  const order = orderOf(task);
  const queued = { queue: task.queue.documentId, status: QUEUED };
  const [ours, foreign] = await Promise.all([
    tasks.countDocuments({ ...queued, 'batchyard.order': { $gt: '', $lt: order } }, { limit }),
    tasks
      .find({ ...queued, 'batchyard.order': null } as object)
      .limit(MOST_FOREIGN)
      .toArray(),
  ]);
  const places = foreign.map((document) => orderOf(fromTaskDocument(document, task.queue)));
  return Math.min(limit, ours + places.filter((place) => place < order).length);
}
