import type { Queue } from '../domain/queue.ts';
import { BatchError, invalid } from '../errors.ts';
import type { ArchivedQueue, ArchivedTask } from '../store/archive-store.ts';
import type { Store } from '../store/store.ts';
import { queueText } from './archive-digest.ts';
import type { ArchiveRecord } from './archive-record.ts';
import { toRestored } from './restored-task.ts';

/** Puts records into a store, in the order they come in. What is there already is not put again. */
export interface ArchiveWriter {
  write(record: ArchiveRecord): Promise<void>;
  /** Puts what is still in hand. */
  end(): Promise<Written>;
}

export interface Written {
  /** Tasks that were put, and that were there already. */
  readonly put: number;
  readonly there: number;
  /** Tasks that could not be put: another one of their queue has their key. */
  readonly refused: readonly string[];
}

export interface WriterOptions {
  /**
   * Whether a task that is there under a lower fence, so that the record tells more of it, gives
   * way to the record. Else, and always while it is live, it is left alone.
   */
  readonly replacesOlder: boolean;
}

const TASKS_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;
const NOW = { now: null };

export function createArchiveWriter(store: Store, options: WriterOptions): ArchiveWriter {
  const written = { put: 0, there: 0, refused: [] as string[] };
  let queue: Queue | null = null;
  let batch: ArchivedTask[] = [];
  let batchBytes = 0;
  let output = { name: '', lastNumber: 0 };

  function getQueue(): Queue {
    if (queue) return queue;
    throw invalid('archive', 'a task comes before any queue', 'Put its queue first');
  }

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    const now = await store.now();
    const tasks = batch.map((archived) => toRestored(archived, getQueue(), now));
    batch = [];
    batchBytes = 0;
    const { namespace, id: queueId } = getQueue();
    if (options.replacesOlder) await makeRoom(store, namespace, tasks);
    const answers = await store.archive.putTasks({ namespace, queueId, tasks }, NOW);
    if (answers === 'missing-queue') {
      throw new BatchError('QUEUE_NOT_FOUND', { queue: getQueue().name, namespace });
    }
    for (const [index, answer] of answers.entries()) {
      if (answer === 'key-taken') written.refused.push(tasks[index]?.task.id ?? '');
      else written[answer] += 1;
    }
  }

  async function writeOutput(record: ArchiveRecord & { readonly kind: 'output' }): Promise<void> {
    await flush();
    const { taskId, fence } = record;
    const name = `${taskId} ${fence}`;
    if (output.name !== name) {
      const [last] = (await store.outputs.tail({ taskId, fence, limitBytes: 1 })).slice(-1);
      output = { name, lastNumber: last?.number ?? 0 };
    }
    const chunks = record.chunks.filter(({ number }) => number > output.lastNumber);
    if (chunks.length === 0 || written.refused.includes(taskId)) return;
    const put = { namespace: getQueue().namespace, taskId, fence, chunks };
    if ((await store.archive.putOutput(put, NOW)) === 'missing') {
      throw new BatchError('TASK_NOT_FOUND', { task: taskId, namespace: put.namespace });
    }
  }

  return {
    async write(record) {
      switch (record.kind) {
        case 'namespace':
          await flush();
          return store.namespaces.ensure(record.name, NOW);
        case 'queue':
          await flush();
          queue = record.queue;
          return putQueue(store, record, options);
        case 'task': {
          batch.push(record);
          batchBytes += sizeOf(record);
          if (batch.length >= TASKS_AT_ONCE || batchBytes >= BYTES_AT_ONCE) await flush();
          return;
        }
        case 'output':
          return writeOutput(record);
        case 'token':
          await flush();
          await store.tokens.insert(record.token, record.hash, NOW);
      }
    },
    async end() {
      await flush();
      return written;
    },
  };
}

/** Throws INVALID_REQUEST when another queue has the name. */
export async function putQueue(
  store: Store,
  archived: ArchivedQueue,
  { replacesOlder }: WriterOptions,
): Promise<void> {
  const { queue } = archived;
  const answer = await store.archive.putQueue(archived, NOW);
  if (answer === 'name-taken') throw nameTaken(queue);
  if (answer === 'put' || !replacesOlder || archived.isDeleted) return;
  const there = await store.queues.find(queue.namespace, queue.name);
  if (there?.id !== queue.id || there.revision >= queue.revision) return;
  if (queueText({ queue: there, isDeleted: false }) === queueText(archived)) return;
  const settings = { ...queue, paused: there.paused };
  await store.queues.update({ id: queue.id, revision: there.revision, settings }, NOW);
}

export function nameTaken({ namespace, name }: Queue): BatchError {
  return invalid(
    'destination',
    `it has a queue "${name}" of its own in namespace "${namespace}"`,
    'Delete that one or take another destination; nothing of this queue was put there',
  );
}

/** Takes away what the records tell more of. */
async function makeRoom(
  store: Store,
  namespace: string,
  tasks: readonly ArchivedTask[],
): Promise<void> {
  const there = await store.tasks.peek(
    namespace,
    tasks.map(({ task }) => task.id),
  );
  const ids = there.flatMap((task, index) => {
    const fence = tasks[index]?.task.fence ?? 0;
    return task && task.attempt === null && task.fence < fence ? [task.id] : [];
  });
  if (ids.length > 0) await store.tasks.delete({ namespace, ids }, NOW);
}

function sizeOf({ task, attempts }: ArchivedTask): number {
  const data = [task.params, task.result, ...attempts.map((attempt) => attempt.data)];
  return data.reduce<number>((sum, one) => sum + (JSON.stringify(one)?.length ?? 0), 0);
}
