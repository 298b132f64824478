import { checkOneOf, checkWhole } from '../domain/check.ts';
import type { TaskId } from '../domain/ids.ts';
import { OUTPUT_STREAMS } from '../domain/output.ts';
import { BatchError, invalid } from '../errors.ts';
import type { Handle } from './engine-context.ts';
import type { OutputOperations, OutputPage } from './output-operations.ts';

const USUAL_READ_BYTES = 256 * 1024;
const LARGEST_READ_BYTES = 4 * 1024 * 1024;
const LARGEST_CHUNK_BYTES = 1024 * 1024;
const LONGEST_WAIT_MS = 60_000;
const TICK_MS = 1000;

export function createOutputOperations(handle: Handle): OutputOperations {
  const { store, namespace, clock, changes } = handle;

  /** Which attempt is meant, and whether more may come of it. */
  const locate = async (
    taskId: TaskId,
    fence: number | undefined,
  ): Promise<{ fence: number | null; live: boolean }> => {
    const task = await store.tasks.find(namespace, taskId, handle.step());
    if (task === null) throw new BatchError('TASK_NOT_FOUND', { task: taskId, namespace });
    const live = task.attempt?.fence;
    if (fence === undefined && live !== undefined) return { fence: live, live: true };
    if (fence !== undefined && fence === live) return { fence, live: true };
    const attempts = await store.attempts.list(namespace, taskId, handle.step());
    const attempt =
      fence === undefined ? attempts.at(-1) : attempts.find((one) => one.fence === fence);
    if (attempt) return { fence: attempt.fence, live: false };
    if (fence === undefined) return { fence: null, live: false };
    throw new BatchError('ATTEMPT_NOT_FOUND', { task: taskId, fence: String(fence) });
  };

  return {
    async append(taskId, fence, chunks) {
      for (const { number, stream, offset, bytes } of chunks) {
        checkWhole('chunks.number', number, { min: 1 });
        checkWhole('chunks.offset', offset);
        checkOneOf('chunks.stream', stream, OUTPUT_STREAMS);
        if (bytes.length > LARGEST_CHUNK_BYTES) {
          throw invalid(
            'chunks.bytes',
            `${bytes.length} bytes in one chunk`,
            `Use at most ${LARGEST_CHUNK_BYTES}`,
          );
        }
      }
      const answer = await store.outputs.append(
        { namespace, taskId, fence, chunks },
        handle.step(),
      );
      if (answer === 'lost')
        throw new BatchError('LEASE_LOST', { task: taskId, fence: String(fence) });
    },
    async read(taskId, request = {}) {
      const { after = 0, limitBytes = USUAL_READ_BYTES, waitMs = 0, signal } = request;
      checkWhole('after', after);
      checkWhole('limitBytes', limitBytes, { min: 1, max: LARGEST_READ_BYTES });
      checkWhole('waitMs', waitMs, { max: LONGEST_WAIT_MS });
      const deadline = clock.monotonicMs() + waitMs;
      for (;;) {
        const since = changes.mark(namespace);
        // Looked up before reading: what was written before the end is then never missed.
        const { fence, live } = await locate(taskId, request.fence);
        const chunks =
          fence === null ? [] : await store.outputs.read({ taskId, fence, after, limitBytes });
        const left = deadline - clock.monotonicMs();
        const over = chunks.length > 0 || !live || left <= 0 || signal?.aborted;
        if (over)
          return { fence, chunks, ended: !live && chunks.length === 0 } satisfies OutputPage;
        await changes.next({ namespace, kind: 'any', since, ms: Math.min(left, TICK_MS), signal });
      }
    },
    async tail(taskId, request = {}) {
      const { limitBytes = 8192 } = request;
      checkWhole('limitBytes', limitBytes, { min: 1, max: LARGEST_READ_BYTES });
      const { fence, live } = await locate(taskId, request.fence);
      const chunks = fence === null ? [] : await store.outputs.tail({ taskId, fence, limitBytes });
      return { fence, chunks, ended: !live };
    },
  };
}
