import type { OutputChunk, OutputStore } from '../../../src/core/store/index.ts';
import { findTask } from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';

export function createModelOutputs({ state, look, take }: ModelSteps): OutputStore {
  const copy = (chunk: OutputChunk): OutputChunk => ({
    ...chunk,
    at: new Date(chunk.at),
    bytes: Uint8Array.from(chunk.bytes),
  });

  const chunksOf = (taskId: string, fence: number): OutputChunk[] => {
    const chunks = state.tasks.get(taskId)?.output.get(fence);
    return [...(chunks?.values() ?? [])].sort((a, b) => a.number - b.number);
  };

  return {
    append: ({ namespace, taskId, fence, chunks }, step) =>
      take(step, (now) => {
        const task = findTask(state, namespace, taskId);
        if (task?.live?.fence !== fence) return 'lost';
        const kept = task.output.get(fence) ?? new Map<number, OutputChunk>();
        task.output.set(fence, kept);
        for (const chunk of chunks) {
          if (!kept.has(chunk.number))
            kept.set(chunk.number, copy({ ...chunk, at: new Date(now) }));
        }
        const { queue } = task;
        state.changes.push({ kind: 'output', namespace, queueId: queue.id });
        return 'kept';
      }),

    read: ({ taskId, fence, after, limitBytes }) =>
      look(() => {
        const rest = chunksOf(taskId, fence).filter(({ number }) => number > after);
        let byteCount = 0;
        const fits = ({ bytes }: OutputChunk, index: number): boolean => {
          byteCount += bytes.length;
          return index === 0 || byteCount <= limitBytes;
        };
        const end = rest.findIndex((chunk, index) => !fits(chunk, index));
        return rest.slice(0, end === -1 ? undefined : end).map(copy);
      }),

    tail: ({ taskId, fence, limitBytes }) =>
      look(() => {
        const last: OutputChunk[] = [];
        let byteCount = 0;
        for (const chunk of chunksOf(taskId, fence).toReversed()) {
          if (byteCount >= limitBytes) break;
          byteCount += chunk.bytes.length;
          last.unshift(copy(chunk));
        }
        return last;
      }),
  };
}
