import { fromDocumentId, toDocumentId } from './ids.ts';
import { fromQueueDocument } from './queue-document.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Space, Spaces } from './spaces.ts';
import type { TaskDocument } from './task-document.ts';
import { fromTaskDocument } from './task-reading.ts';
import type { TaskRecord } from './task-record.ts';

/** Queues by id, gone ones too. */
export async function findQueues(
  { namespace, queues, goneQueues }: Space,
  ids: readonly string[],
): Promise<Map<string, QueueRecord>> {
  if (ids.length === 0) return new Map();
  const filter = { _id: { $in: ids.map(toDocumentId) } };
  const [there, gone] = await Promise.all([
    queues.find(filter).toArray(),
    goneQueues.find(filter).toArray(),
  ]);
  return new Map(
    [...there, ...gone].map((document) => {
      const queue = fromQueueDocument(document, namespace);
      return [queue.id, queue];
    }),
  );
}

/** Queues that are there, by name. */
export async function listQueues({ namespace, queues }: Space): Promise<QueueRecord[]> {
  const documents = await queues.find({ 'batchyard.gone': null }).toArray();
  return documents
    .map((document) => fromQueueDocument(document, namespace))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Only a queue that is there. */
export async function findQueueByName(
  { namespace, queues }: Space,
  name: string,
): Promise<QueueRecord | null> {
  const filter = { $or: [{ name }, { _id: name, name: null }], 'batchyard.gone': null };
  const document = await queues.findOne(filter as object);
  return document ? fromQueueDocument(document, namespace) : null;
}

export interface QueueDirectory {
  /** The namespace that has, or had, a queue of this id. */
  find(queueId: string): Promise<{ readonly space: Space; readonly queue: QueueRecord } | null>;
  note(queueId: string, namespace: string): void;
}

const MOST_NOTES = 10_000;

/** Remembers which namespace a queue is of: that never changes. */
export function createQueueDirectory(spaces: Spaces): QueueDirectory {
  const notes = new Map<string, string>();

  async function search(queueId: string) {
    for (const space of await spaces.all()) {
      const queue = (await findQueues(space, [queueId])).get(queueId);
      if (queue) return { space, queue };
    }
    return null;
  }

  function note(queueId: string, namespace: string): void {
    if (notes.size >= MOST_NOTES) notes.clear();
    notes.set(queueId, namespace);
  }

  return {
    note,
    async find(queueId) {
      const namespace = notes.get(queueId);
      if (namespace !== undefined) {
        const space = spaces.get(namespace);
        const queue = (await findQueues(space, [queueId])).get(queueId);
        return queue ? { space, queue } : null;
      }
      let found = await search(queueId);
      if (!found) {
        // Another process may have made its namespace a moment ago.
        spaces.forget();
        found = await search(queueId);
      }
      if (found) note(queueId, found.space.namespace);
      return found;
    },
  };
}

/** Records of tasks that can be seen: not those that went with their queue. */
export async function toRecords(
  space: Space,
  documents: readonly TaskDocument[],
  known?: ReadonlyMap<string, QueueRecord>,
): Promise<TaskRecord[]> {
  const ids = [...new Set(documents.map(({ queue }) => fromDocumentId(queue)))];
  const queues = known ?? (await findQueues(space, ids));
  const records: TaskRecord[] = [];
  for (const document of documents) {
    const queueId = fromDocumentId(document.queue);
    const queue = queues.get(queueId) ?? vanishedQueue(queueId, space.namespace);
    if (queue.gone !== 'delete') records.push(fromTaskDocument(document, queue));
  }
  return records;
}

/** Disbatch deletes a queue's document and leaves its tasks. */
export function vanishedQueue(id: string, namespace: string): QueueRecord {
  const document = fromQueueDocument({ _id: toDocumentId(id) }, namespace);
  return { ...document, gone: 'keep' };
}

export async function findTasks(
  space: Space,
  ids: readonly string[],
): Promise<Map<string, TaskRecord>> {
  if (ids.length === 0) return new Map();
  const unique = [...new Set(ids)];
  const documents = await space.tasks.find({ _id: { $in: unique.map(toDocumentId) } }).toArray();
  const records = await toRecords(space, documents);
  return new Map(records.map((record) => [record.id, record]));
}
