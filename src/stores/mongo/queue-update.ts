import type { QueueChange, QueueSettings, QueueUpdate } from '../../core/store/index.ts';
import { queueLock } from './locks.ts';
import { fromQueueDocument, settingFields, type TaskUpheaval } from './queue-document.ts';
import { type QueueRecord, toQueue } from './queue-record.ts';
import { upheave } from './queue-upheaval.ts';
import type { Session } from './session.ts';
import type { Work } from './transitions.ts';

/**
 * The settings change in one write, which also says what is still to be done to the tasks:
 * whoever finds that undone does it.
 */
export async function updateQueue(
  session: Session,
  change: QueueChange,
  work: Work,
): Promise<QueueUpdate> {
  const found = await session.directory.find(change.id);
  if (!found) return { status: 'missing' };
  return session.locks.hold([queueLock(found.queue)], async () => {
    const { space } = found;
    const _id = found.queue.documentId;
    const document = await space.queues.findOne({ _id, 'batchyard.gone': null } as object);
    if (!document) return { status: 'missing' };
    const before = fromQueueDocument(document, space.namespace);
    if (before.revision !== change.revision) {
      return { status: 'changed', revision: before.revision };
    }
    const kinds = upheavalsOf(before, change.settings);
    const fields: Record<string, unknown> = {
      ...settingFields(change.settings, document),
      'batchyard.revision': before.revision + 1,
      'batchyard.updatedAt': new Date(work.now),
      'batchyard.pending': kinds.length > 0 ? kinds : undefined,
      'batchyard.pendingAt': kinds.length > 0 ? new Date(work.now) : undefined,
    };
    if (change.nextContinuousAt !== undefined) {
      fields['batchyard.nextContinuousAt'] = change.nextContinuousAt ?? undefined;
    }
    const { matchedCount } = await space.queues.updateOne(
      { _id, 'batchyard.revision': document.batchyard?.revision ?? null } as object,
      toUpdate(fields),
    );
    if (matchedCount === 0) return { status: 'changed', revision: before.revision + 1 };
    const after = await space.queues.findOne({ _id });
    if (!after) return { status: 'missing' };
    const queue = fromQueueDocument(after, space.namespace);
    if (kinds.length > 0) await upheave(session, { space, queue, kinds }, work);
    work.changes.push({ kind: 'ready', namespace: space.namespace, queueId: queue.id });
    return { status: 'updated', queue: toQueue(queue) };
  });
}

/** Sets what there is and takes away the rest. */
export function toUpdate(fields: Record<string, unknown>): object {
  const entries = Object.entries(fields);
  const there = entries.filter(([, value]) => value !== undefined);
  const gone = entries.filter(([, value]) => value === undefined);
  return {
    $set: Object.fromEntries(there),
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map(([name]) => [name, ''])) }),
  };
}

function upheavalsOf({ settings }: QueueRecord, next: QueueSettings): TaskUpheaval[] {
  const kinds: TaskUpheaval[] = [];
  if (settings.order !== next.order) kinds.push('rank');
  if (JSON.stringify(settings.limits) !== JSON.stringify(next.limits)) kinds.push('limit');
  // Tasks may be held for admission in an open queue too.
  if (next.admission === 'open') kinds.push('open');
  return kinds;
}
