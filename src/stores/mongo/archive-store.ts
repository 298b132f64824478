import { Binary, type Collection } from 'mongodb';
import type { ArchivedQueue, ArchiveStore, OutputPut } from '../../core/store/index.ts';
import { listAllQueues, listArchivedTasks } from './archive-reading.ts';
import { putTasks } from './archive-tasks.ts';
import { toDocumentId } from './ids.ts';
import { namespaceLock } from './locks.ts';
import { isDuplicateKey } from './mongo-error.ts';
import { insertChunks } from './output-store.ts';
import { pageOf } from './page-of.ts';
import { type QueueDocument, settingFields } from './queue-document.ts';
import { findQueueByName, findTasks } from './queue-lookup.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { type TokenDocument, toToken } from './token-store.ts';

export function createArchiveStore(steps: Steps): ArchiveStore {
  const { session } = steps;
  const { spaces } = session;
  const tokens: Collection<TokenDocument> = spaces.shared.collection('batchyard.tokens');
  return {
    listQueues: (namespace, { after, limit }) =>
      steps.look(async () => {
        const queues = await listAllQueues(spaces.get(namespace));
        return pageOf(queues, { after, limit, cursorOf: ({ queue }) => queue.id });
      }),

    listTasks: (query) => steps.look(() => listArchivedTasks(spaces.get(query.namespace), query)),

    listTokens: () =>
      steps.look(async () => {
        const all = await tokens.find().toArray();
        return all
          .map((one) => ({ token: toToken(one), hash: Uint8Array.from(one.hash.value()) }))
          .sort((a, b) => (a.token.name < b.token.name ? -1 : 1));
      }),

    putQueue: (archived, step) =>
      steps.take(step, ({ now }) =>
        session.locks.hold([namespaceLock(archived.queue.namespace)], () =>
          putQueue(session, archived, now),
        ),
      ),

    putTasks: (put, step) => steps.take(step, (work) => putTasks(session, put, work)),
    putOutput: (put, step) => steps.take(step, () => putOutput(session, put)),
  };
}

async function putQueue(
  { spaces, directory }: Session,
  archived: ArchivedQueue,
  now: number,
): Promise<'put' | 'there' | 'name-taken'> {
  const { queue, isDeleted } = archived;
  const { id, namespace, name } = queue;
  if (await directory.find(id)) return 'there';
  const space = spaces.get(namespace);
  if (!isDeleted && (await findQueueByName(space, name))) return 'name-taken';
  await spaces.ensure(namespace, now);
  try {
    const place = isDeleted ? space.goneQueues : space.queues;
    await place.insertOne(toDocument(archived));
  } catch (error) {
    // A Disbatch program was faster, for it takes no lock.
    if (isDuplicateKey(error)) return 'name-taken';
    throw error;
  }
  directory.note(id, namespace);
  return 'put';
}

function toDocument({ queue, isDeleted }: ArchivedQueue): QueueDocument {
  const { plugin, threads, sort, ...fields } = settingFields(queue, null);
  const ours = {
    settings: fields['batchyard.settings'],
    unlimited: fields['batchyard.unlimited'],
    revision: queue.revision,
    createdAt: queue.createdAt,
    updatedAt: queue.updatedAt,
    nextContinuousAt: queue.nextContinuousAt ?? undefined,
    ...(isDeleted && { gone: 'keep', name: queue.name }),
  };
  const name = isDeleted ? `batchyard.gone.${queue.id}` : queue.name;
  const document = { _id: toDocumentId(queue.id), name, plugin, threads, sort, batchyard: ours };
  return document as QueueDocument;
}

async function putOutput(
  { spaces }: Session,
  { namespace, taskId, fence, chunks }: OutputPut,
): Promise<'kept' | 'missing'> {
  const space = spaces.get(namespace);
  if (!(await findTasks(space, [taskId])).has(taskId)) return 'missing';
  await insertChunks(
    space,
    chunks.map(({ number, stream, offset, at, bytes }) => ({
      ...{ task: toDocumentId(taskId), fence, number, stream, offset, at },
      bytes: new Binary(bytes),
    })),
  );
  return 'kept';
}
