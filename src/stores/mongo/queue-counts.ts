import { noCounts } from '../../core/store/index.ts';
import type { Counts } from './count-cache.ts';
import { type DocumentId, fromDocumentId } from './ids.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Space } from './spaces.ts';
import { fromStatus } from './status-codes.ts';

/** Counted by index, so that whatever other programs did is counted too. */
export async function countTasks(
  { tasks }: Space,
  queues: readonly QueueRecord[],
): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>(queues.map(({ id }) => [id, noCounts()]));
  if (queues.length === 0) return counts;
  const found = tasks.aggregate<{ _id: { queue: DocumentId; status: number }; count: number }>(
    [
      { $match: { queue: { $in: queues.map(({ documentId }) => documentId) } } },
      { $group: { _id: { queue: '$queue', status: '$status' }, count: { $sum: 1 } } },
    ],
    { hint: 'queue_1_status_1' },
  );
  for await (const { _id, count } of found) {
    const own = counts.get(fromDocumentId(_id.queue));
    if (own) own[fromStatus(_id.status)] += count;
  }
  return counts;
}

export async function countsOf(space: Space, queue: QueueRecord): Promise<Counts> {
  return (await countTasks(space, [queue])).get(queue.id) ?? noCounts();
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
