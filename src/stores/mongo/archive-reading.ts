import type { ArchivedQueue, ArchivedTask, ArchiveQuery, Page } from '../../core/store/index.ts';
import { listArchived } from './attempt-archive.ts';
import { type DocumentId, fromDocumentId, toDocumentId } from './ids.ts';
import { fromQueueDocument } from './queue-document.ts';
import { findQueues, toRecords, vanishedQueue } from './queue-lookup.ts';
import { toQueue } from './queue-record.ts';
import type { Space } from './spaces.ts';
import { type EndedRecord, type TaskRecord, toEndedAttempt, toTask } from './task-record.ts';

const BATCH = 50;

/** With its ended attempts, the archived ones too. */
interface WholeRecord {
  readonly record: TaskRecord;
  readonly ended: readonly EndedRecord[];
}

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
    .limit(limit + 1)
    .batchSize(BATCH);
  const whole: WholeRecord[] = [];
  let bytes = 0;
  let isMore = false;
  for await (const document of found) {
    isMore = whole.length >= limit || (whole.length > 0 && bytes >= limitBytes);
    if (isMore) break;
    for (const record of await toRecords(space, [document], queues)) {
      const one = { record, ended: [...(await listArchived(space, record)), ...record.ended] };
      whole.push(one);
      bytes += sizeOf(one);
    }
  }
  const fences = await readOutputFences(space, whole);
  const items = whole.map((one) => toArchived(one, fences.get(one.record.id) ?? []));
  return { items, next: isMore ? (items.at(-1)?.task.id ?? null) : null };
}

/** Ids that are text, of DEN 1.1, come before all others, and compare with none of them. */
function beyond(after: string): object {
  const id = toDocumentId(after);
  const rest = { _id: { $gt: id } };
  return typeof id === 'string' ? { $or: [rest, { _id: { $type: 'objectId' } }] } : rest;
}

function toArchived({ record, ended }: WholeRecord, outputFences: readonly number[]): ArchivedTask {
  return {
    task: toTask(record),
    rank: Uint8Array.from(Buffer.from(record.rank, 'hex')),
    uniqueKey: record.unique?.key ?? null,
    attempts: ended.map((one) => toEndedAttempt(record, one)),
    outputFences,
  };
}

function sizeOf({ record: { params, result }, ended }: WholeRecord): number {
  const own = JSON.stringify(params).length + result.length;
  return ended.reduce((sum, { data, late }) => sum + data.length + (late?.data.length ?? 0), own);
}

/** By task, in order. */
async function readOutputFences(
  { output }: Space,
  whole: readonly WholeRecord[],
): Promise<Map<string, number[]>> {
  const fences = new Map<string, number[]>();
  if (whole.length === 0) return fences;
  const found = output.aggregate<{ _id: { task: DocumentId; fence: number } }>([
    { $match: { task: { $in: whole.map(({ record }) => toDocumentId(record.id)) } } },
    { $group: { _id: { task: '$task', fence: '$fence' } } },
    { $sort: { '_id.fence': 1 } },
  ]);
  for await (const { _id } of found) {
    const id = fromDocumentId(_id.task);
    fences.set(id, [...(fences.get(id) ?? []), _id.fence]);
  }
  return fences;
}
