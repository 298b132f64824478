import type { QueueDeleted, QueueDeletion } from '../../core/store/index.ts';
import type { DocumentId } from './ids.ts';
import { queueLock } from './locks.ts';
import { countsOf, totalOf } from './queue-counts.ts';
import { type QueueDocument, settingFields } from './queue-document.ts';
import type { QueueRecord } from './queue-record.ts';
import { toUpdate } from './queue-update.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { deleteTasks } from './task-removal.ts';

export async function deleteQueue(
  session: Session,
  { id, tasks: wish }: QueueDeletion,
): Promise<QueueDeleted> {
  const found = await session.directory.find(id);
  if (!found || found.queue.gone !== null) return { status: 'missing' };
  const { space } = found;
  return session.locks.hold([queueLock(found.queue)], async () => {
    const tasks = totalOf(await countsOf(space, found.queue));
    if (wish === 'refuse' && tasks > 0) return { status: 'refused', tasks };
    const gone = wish === 'delete' ? 'delete' : 'keep';
    const isMine = await markGone(space, found.queue, gone);
    return isMine ? { status: 'deleted', tasks } : { status: 'missing' };
  });
}

/**
 * One write takes the queue away and frees its name. Then its document moves to where Disbatch
 * programs do not look; whoever finds it unmoved moves it.
 */
export async function markGone(
  space: Space,
  queue: QueueRecord,
  gone: 'keep' | 'delete',
): Promise<boolean> {
  const { documentId: _id, name } = queue;
  const document = await space.queues.findOne({ _id, 'batchyard.gone': null } as object);
  if (!document) return false;
  const { matchedCount } = await space.queues.updateOne(
    { _id, 'batchyard.gone': null } as object,
    toUpdate({
      ...settingFields(queue.settings, document),
      name: `batchyard.gone.${queue.id}`,
      'batchyard.gone': gone,
      'batchyard.name': name,
      'batchyard.revision': queue.revision,
      'batchyard.updatedAt': new Date(queue.updatedAt),
    }),
  );
  if (matchedCount === 0) return false;
  await moveGone(space, _id);
  return true;
}

/** Repeatable. */
export async function moveGone(
  { queues, goneQueues, tasks }: Space,
  _id: DocumentId,
): Promise<void> {
  const document = await queues.findOne({ _id, 'batchyard.gone': { $ne: null } } as object);
  if (!document) return;
  const { _id: id, ...rest } = document;
  await goneQueues.replaceOne({ _id: id }, rest as QueueDocument, { upsert: true });
  await queues.deleteOne({ _id });
  if (document.batchyard?.gone !== 'delete') return;
  // Hidden tasks are never due.
  const due = { queue: _id, 'batchyard.due': { $exists: true } };
  await tasks.updateMany(due, { $unset: { 'batchyard.due': '' } });
}

/** Removes at most `limit` hidden tasks; a queue without any is forgotten. */
export async function purgeHidden({ spaces }: Session, limit: number): Promise<number> {
  let left = limit;
  for (const space of await spaces.all()) {
    const hidden = await space.goneQueues.find({ 'batchyard.gone': 'delete' }).toArray();
    for (const { _id } of hidden) {
      if (left <= 0) return limit;
      const filter = { queue: _id };
      const found = await space.tasks
        .find(filter, { projection: { _id: 1 } })
        .limit(left)
        .toArray();
      left -= await deleteTasks(
        space,
        found.map((one) => String(one._id)),
        filter,
      );
      await forgetEmpty(space, _id);
    }
  }
  return limit - left;
}

async function forgetEmpty(space: Space, _id: DocumentId): Promise<void> {
  if ((await space.tasks.findOne({ queue: _id }, { projection: { _id: 1 } })) !== null) return;
  await space.starts.deleteMany({ queue: _id });
  await space.goneQueues.deleteOne({ _id });
}
