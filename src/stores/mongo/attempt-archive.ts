/**
 * Ended attempts of tasks that have many, or large ones, in a collection of their own: a document
 * holds no more than 16 MB. The last one always stays in the task.
 */
import { toDocumentId } from './ids.ts';
import { isDuplicateKey } from './mongo-error.ts';
import type { Space } from './spaces.ts';
import type { ArchivedDocument, EndedDocument, LateDocument } from './task-document.ts';
import { toEndedDocument } from './task-fields.ts';
import { fromEndedDocument } from './task-reading.ts';
import type { EndedRecord, TaskRecord } from './task-record.ts';

const MOST_INLINE = 20;
const LARGEST_INLINE = 256 * 1024;

export function archiveId(taskId: string, fence: number): string {
  return `${taskId}:${fence}`;
}

/** Before a record is written. Only what its document holds already is moved, so that no attempt is ahead of its task. */
export async function archiveEnded(space: Space, records: readonly TaskRecord[]): Promise<void> {
  const moved: ArchivedDocument[] = [];
  for (const record of records) {
    const known = record.document?.batchyard?.ended ?? [];
    if (known.length < 2 || !isLarge(known)) continue;
    const count = record.ended.length > known.length ? known.length : known.length - 1;
    const task = toDocumentId(record.id);
    for (const ended of record.ended.splice(0, count)) {
      const _id = archiveId(record.id, ended.fence);
      moved.push({ _id, task, ...toEndedDocument(ended) });
    }
    record.archived += count;
  }
  if (moved.length === 0) return;
  try {
    await space.archive.insertMany(moved, { ordered: false });
  } catch (error) {
    // Moved before, by somebody whose write then came to nothing.
    if (!isDuplicateKey(error)) throw error;
  }
}

export function isLarge(ended: readonly EndedDocument[]): boolean {
  if (ended.length > MOST_INLINE) return true;
  const size = ended.reduce((sum, { data, error }) => sum + data.length + (error?.length ?? 0), 0);
  return size > LARGEST_INLINE;
}

/** By fence, without those that the task still holds. */
export async function listArchived(
  { archive }: Space,
  { id, archived, ended }: TaskRecord,
): Promise<EndedRecord[]> {
  if (archived === 0) return [];
  const held = new Set(ended.map(({ fence }) => fence));
  const found = await archive
    .find({ task: toDocumentId(id) })
    .sort({ fence: 1 })
    .toArray();
  return found.map(fromEndedDocument).filter(({ fence }) => !held.has(fence));
}

export interface ArchivedAttempts {
  find(taskId: string, fence: number): EndedRecord | null;
  /** Writes the late words that were said of them. */
  save(): Promise<void>;
}

/** Those among these attempts that their tasks no longer hold. */
export async function readArchived(
  { archive }: Space,
  refs: readonly { readonly task: TaskRecord; readonly fence: number }[],
): Promise<ArchivedAttempts> {
  const ids = refs
    .filter(
      ({ task, fence }) => task.archived > 0 && !task.ended.some((one) => one.fence === fence),
    )
    .map(({ task, fence }) => archiveId(task.id, fence));
  const found = ids.length === 0 ? [] : await archive.find({ _id: { $in: ids } }).toArray();
  const attempts = new Map(found.map((one) => [one._id, { one, record: fromEndedDocument(one) }]));
  return {
    find: (taskId, fence) => attempts.get(archiveId(taskId, fence))?.record ?? null,
    async save() {
      for (const [_id, { one, record }] of attempts) {
        if (one.late !== null || record.late === null) continue;
        const late: LateDocument = { ...record.late, at: new Date(record.late.at) };
        await archive.updateOne({ _id, late: null }, { $set: { late } });
      }
    },
  };
}
