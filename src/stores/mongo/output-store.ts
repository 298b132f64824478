import { Binary } from 'mongodb';
import type { OutputChunk, OutputStore } from '../../core/store/index.ts';
import { toDocumentId } from './ids.ts';
import { isDuplicateKey } from './mongo-error.ts';
import type { OutputDocument } from './output-document.ts';
import { findTasks } from './queue-lookup.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import type { Steps } from './steps.ts';
import { changeTasks } from './task-saving.ts';

const BATCH = 100;

export function createOutputStore(steps: Steps): OutputStore {
  const { session } = steps;
  return {
    append: ({ namespace, taskId, fence, chunks }, step) =>
      steps.take(step, async ({ now, changes }) => {
        const space = session.spaces.get(namespace);
        // Said first, so that an end that comes meanwhile knows of output to look for.
        const [queueId] = await changeTasks(space, [taskId], {
          write: session.newToken(),
          act(task) {
            if (!task?.live || task.fence !== fence) return null;
            task.wrote = true;
            return task.queue.id;
          },
        });
        if (!queueId) return 'lost';
        await insertChunks(
          space,
          chunks.map((chunk) => ({
            task: toDocumentId(taskId),
            fence,
            number: chunk.number,
            stream: chunk.stream,
            offset: chunk.offset,
            at: new Date(now),
            bytes: new Binary(chunk.bytes),
          })),
        );
        changes.push({ kind: 'output', namespace, queueId });
        return 'kept';
      }),

    read: ({ taskId, fence, after, limitBytes }) =>
      steps.look(async () => {
        const space = await findSpaceOf(session, taskId);
        if (!space) return [];
        const filter = { task: toDocumentId(taskId), fence, number: { $gt: after } };
        const found = space.output.find(filter).sort({ number: 1 }).batchSize(BATCH);
        const chunks: OutputChunk[] = [];
        let byteCount = 0;
        for await (const document of found) {
          const chunk = toChunk(document);
          byteCount += chunk.bytes.length;
          if (chunks.length > 0 && byteCount > limitBytes) break;
          chunks.push(chunk);
        }
        return chunks;
      }),

    tail: ({ taskId, fence, limitBytes }) =>
      steps.look(async () => {
        const space = await findSpaceOf(session, taskId);
        if (!space) return [];
        const filter = { task: toDocumentId(taskId), fence };
        const found = space.output.find(filter).sort({ number: -1 }).batchSize(BATCH);
        const chunks: OutputChunk[] = [];
        let byteCount = 0;
        for await (const document of found) {
          if (byteCount >= limitBytes) break;
          const chunk = toChunk(document);
          byteCount += chunk.bytes.length;
          chunks.unshift(chunk);
        }
        return chunks;
      }),
  };
}

/** A number that is there already is left as it is. */
export async function insertChunks(
  { output }: Space,
  chunks: readonly OutputDocument[],
): Promise<void> {
  if (chunks.length === 0) return;
  try {
    await output.insertMany(chunks as OutputDocument[], { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

function toChunk({ number, stream, offset, at, bytes }: OutputDocument): OutputChunk {
  return { number, stream, offset, at, bytes: Uint8Array.from(bytes.value()) };
}

/** The namespace of a task that can be seen. */
export async function findSpaceOf(session: Session, taskId: string): Promise<Space | null> {
  for (const space of await session.spaces.all()) {
    if ((await findTasks(space, [taskId])).has(taskId)) return space;
  }
  return null;
}
