import type { ArchivedQueue, ArchivedTask, ArchiveQuery, Page } from '../../core/store/index.ts';
import { listArchived } from './attempt-archive.ts';
import { type DocumentId, fromDocumentId, toDocumentId } from './ids.ts';
import { fromQueueDocument } from './queue-document.ts';
import { findQueues, toRecords, vanishedQueue } from './queue-lookup.ts';
import { toQueue } from './queue-record.ts';
import type { Space } from './spaces.ts';
import type { TaskDocument } from './task-document.ts';
import { type EndedRecord, type TaskRecord, toEndedAttempt, toTask } from './task-record.ts';

/** In no order: those that are there, those whose tasks were kept, and those that Disbatch deleted. */
export async function listAllQueues(space: Space): Promise<ArchivedQueue[]> {
  const [there, gone, used] = await Promise.all([
    space.queues.find().toArray(),
    space.goneQueues.find().toArray(),
    space.tasks.distinct('queue') as Promise<DocumentId[]>,
  ]);
  const known = new Map(
    [...there, ...gone].map((document) => {
      const queue = fromQueueDocument(document, space.namespace);
      return [queue.id, queue] as const;
    }),
  );
  for (const id of used.map(fromDocumentId)) {
    if (!known.has(id)) known.set(id, vanishedQueue(id, space.namespace));
  }
  return [...known.values()]
    .filter((queue) => queue.gone !== 'delete')
    .map((queue) => ({ queue: toQueue(queue), isDeleted: queue.gone === 'keep' }));
}

export async function listArchivedTasks(
  space: Space,
  { queueId, after, limit, limitBytes }: ArchiveQuery,
): Promise<Page<ArchivedTask>> {
  const queues = await findQueues(space, [queueId]);
  const filter = { queue: toDocumentId(queueId), ...(after !== null && beyond(after)) };
  const found = space.tasks
    .find(filter as object)
    .sort({ _id: 1 })
    .limit(limit + 1);
  const records = await toRecords(space, await takeSome(found), queues);
  const items: ArchivedTask[] = [];
  let bytes = 0;
  const fences = await readOutputFences(space, records);
  for (const record of records) {
    const last = items.at(-1);
    if (last && (items.length >= limit || bytes >= limitBytes)) return { items, next: last.task.id };
    const ended = [...(await listArchived(space, record)), ...record.ended];
    items.push(toArchived(record, ended, fences.get(record.id) ?? []));
    bytes += sizeOf(record, ended);
  }
  return { items, next: null };
}

/** Ids that are text, of DEN 1.1, come before all others, and compare with none of them. */
function beyond(after: string): object {
  const id = toDocumentId(after);
  const rest = { _id: { $gt: id } };
  return typeof id === 'string' ? { $or: [rest, { _id: { $type: 'objectId' } }] } : rest;
}

function toArchived(
  record: TaskRecord,
  ended: readonly EndedRecord[],
  outputFences: readonly number[],
): ArchivedTask {
  return {
    task: toTask(record),
    rank: Uint8Array.from(Buffer.from(record.rank, 'hex')),
    uniqueKey: record.unique?.key ?? null,
    attempts: ended.map((one) => toEndedAttempt(record, one)),
    outputFences,
  };
}

function sizeOf({ params, result }: TaskRecord, ended: readonly EndedRecord[]): number {
  const own = JSON.stringify(params).length + result.length;
  return ended.reduce((sum, { data, late }) => sum + data.length + (late?.data.length ?? 0), own);
}

/** By task, in order. */
async function readOutputFences(
  { output }: Space,
  records: readonly TaskRecord[],
): Promise<Map<string, number[]>> {
  const fences = new Map<string, number[]>();
  if (records.length === 0) return fences;
  const found = output.aggregate<{ _id: { task: DocumentId; fence: number } }>([
    { $match: { task: { $in: records.map(({ id }) => toDocumentId(id)) } } },
    { $group: { _id: { task: '$task', fence: '$fence' } } },
    { $sort: { '_id.fence': 1 } },
  ]);
  for await (const { _id } of found) {
    const id = fromDocumentId(_id.task);
    fences.set(id, [...(fences.get(id) ?? []), _id.fence]);
  }
  return fences;
}
