import type { AnyBulkWriteOperation } from 'mongodb';
import { archiveEnded } from './attempt-archive.ts';
import type { CountMove } from './count-cache.ts';
import { toDocumentId } from './ids.ts';
import { isDuplicateKey, unavailable } from './mongo-error.ts';
import { findTasks } from './queue-lookup.ts';
import type { Space } from './spaces.ts';
import { fromStatus } from './status-codes.ts';
import type { TaskDocument } from './task-document.ts';
import { changeOf, toTaskDocument } from './task-fields.ts';
import type { TaskRecord } from './task-record.ts';

const MOST_TRIES = 50;

/**
 * Writes changed records back, each on condition that nobody changed its document meanwhile;
 * foreign programs leave no mark of a write, so status and node are conditions too. Gives those
 * whose document had changed.
 */
export async function saveTasks(
  space: Space,
  records: readonly TaskRecord[],
  write: string,
): Promise<TaskRecord[]> {
  await archiveEnded(space, records);
  const operations: AnyBulkWriteOperation<TaskDocument>[] = [];
  const changed: TaskRecord[] = [];
  for (const record of records) {
    const change = changeOf(record, write);
    const { document } = record;
    if (change === null || document === null) continue;
    changed.push(record);
    const filter = {
      _id: document._id,
      'batchyard.write': document.batchyard?.write ?? null,
      // Claims of many at once leave no mark of a write, but for their own.
      'batchyard.live.call': document.batchyard?.live?.call ?? null,
      status: document.status,
      node: document.node ?? null,
    };
    operations.push({ updateOne: { filter: filter as object, update: change as object } });
  }
  if (operations.length === 0) return [];
  return space.counts.during(async () => {
    const failed = await writeAll(space, { operations, changed, write });
    const lost = new Set(failed);
    const moves = changed.filter((record) => !lost.has(record)).map(moveOf);
    return { answer: failed, moves };
  });
}

function moveOf({ queue, document, state }: TaskRecord): CountMove {
  return { queueId: queue.id, from: document && fromStatus(document.status), to: state };
}

interface Writing {
  readonly operations: AnyBulkWriteOperation<TaskDocument>[];
  readonly changed: readonly TaskRecord[];
  readonly write: string;
}

async function writeAll({ tasks }: Space, { operations, changed, write }: Writing) {
  const { matchedCount } = await tasks.bulkWrite(operations, { ordered: false });
  if (matchedCount === operations.length) return [];
  const ids = changed.map(({ id }) => toDocumentId(id));
  const mark = { $or: [{ 'batchyard.write': write }, { 'batchyard.before': write }] };
  const filter = { _id: { $in: ids }, ...mark };
  const written = await tasks.find(filter, { projection: { _id: 1 } }).toArray();
  const done = new Set(written.map(({ _id }) => String(_id)));
  return changed.filter(({ document }) => !done.has(String(document?._id)));
}

/** Adds new tasks. One that is there already, after a call was repeated, stays as it is. */
export async function insertTasks(
  { tasks, counts }: Space,
  records: readonly TaskRecord[],
  write: string,
): Promise<void> {
  if (records.length === 0) return;
  const documents = records.map((record) => toTaskDocument(record, write));
  await counts.during(async () => {
    try {
      await tasks.insertMany(documents, { ordered: false });
      return { answer: undefined, moves: records.map(moveOf) };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { answer: undefined, moves: null };
    }
  });
}

export interface Changing<Answer> {
  readonly write: string;
  act(task: TaskRecord | null, at: number): Answer;
  /** Reads what `act` needs besides. */
  prepare?(records: ReadonlyMap<string, TaskRecord>): Promise<void>;
}

/**
 * Changes tasks in hand, one answer per id in order, again and again for those that somebody
 * else changed meanwhile. The same id twice is the same task, changed twice.
 */
export async function changeTasks<Answer>(
  space: Space,
  ids: readonly string[],
  { write, act, prepare }: Changing<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = Array<Answer>(ids.length);
  let open: ReadonlySet<string> = new Set(ids);
  for (let tries = 0; open.size > 0; tries++) {
    if (tries === MOST_TRIES)
      throw unavailable('tasks change faster than they can be written', 'Try again.');
    const records = await findTasks(space, [...open]);
    await prepare?.(records);
    for (const [at, id] of ids.entries()) {
      if (open.has(id)) answers[at] = act(records.get(id) ?? null, at);
    }
    const failed = await saveTasks(space, [...records.values()], write);
    open = new Set(failed.map(({ id }) => id));
  }
  return answers;
}
