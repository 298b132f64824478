import type { Engine } from '../core/index.ts';
import type { QueueRow } from './yard.ts';

/** A question per queue is cheap for some queues, and not for thousands. */
const MOST_QUEUES = 20;

/** When the oldest queued task of each queue was made: an idle moment asked of the first queues only. */
export async function readOldestWaiting(
  engine: Engine,
  rows: readonly QueueRow[],
): Promise<ReadonlyMap<string, Date>> {
  const waiting = rows.filter(({ counts }) => counts.queued > 0).slice(0, MOST_QUEUES);
  const found = new Map<string, Date>();
  for (const { queue } of waiting) {
    const { items } = await engine.tasks.list(
      { queues: [queue.name], states: ['queued'] },
      { direction: 'asc', limit: 1 },
    );
    if (items[0]) found.set(queue.name, items[0].createdAt);
  }
  return found;
}
