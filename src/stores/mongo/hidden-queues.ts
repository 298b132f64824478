import type { DocumentId } from './ids.ts';
import type { Space } from './spaces.ts';

/** Queues whose tasks went with them and wait to be purged. Seldom any. */
export async function hiddenQueueIds({ queues, goneQueues }: Space): Promise<DocumentId[]> {
  const filter = { 'batchyard.gone': 'delete' as const };
  const projection = { _id: 1 };
  const [going, gone] = await Promise.all([
    queues.find(filter, { projection }).toArray(),
    goneQueues.find(filter, { projection }).toArray(),
  ]);
  return [...going, ...gone].map(({ _id }) => _id);
}
