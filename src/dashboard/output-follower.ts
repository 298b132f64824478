/** Reads the output of one attempt: its end first, then what comes. */
import {
  type Engine,
  type OutputChunk,
  type OutputPage,
  systemClock,
  type TaskId,
} from '../core/index.ts';
import { isAway, toWords } from './session.ts';

const TAIL_BYTES = 512 * 1024;
const READ_BYTES = 256 * 1024;
const WAIT_MS = 20_000;
const AFTER_ERROR_MS = 2000;

export interface OutputTarget {
  readonly engine: Engine;
  readonly taskId: TaskId;
  readonly fence: number;
}

export interface OutputListener {
  onChunks(chunks: readonly OutputChunk[]): void;
  /** No more will come. */
  onEnd(): void;
  /** null: it goes on. */
  onTrouble(words: string | null): void;
}

/** Goes on until the attempt has ended, or the signal aborts; a server that is away is waited for. */
export async function followOutput(
  { engine, taskId, fence }: OutputTarget,
  listener: OutputListener,
  signal: AbortSignal,
): Promise<void> {
  let after: number | null = null;
  while (!signal.aborted) {
    try {
      const page: OutputPage =
        after === null
          ? await engine.outputs.tail(taskId, { fence, limitBytes: TAIL_BYTES })
          : await engine.outputs.read(taskId, {
              fence,
              after,
              limitBytes: READ_BYTES,
              waitMs: WAIT_MS,
              signal,
            });
      if (signal.aborted) return;
      listener.onTrouble(null);
      listener.onChunks(page.chunks);
      after = page.chunks.at(-1)?.number ?? after ?? 0;
      if (page.ended) return listener.onEnd();
    } catch (error) {
      if (signal.aborted) return;
      const words = toWords(error);
      listener.onTrouble(isAway(error) ? 'Reconnecting…' : words);
      await systemClock.sleep(AFTER_ERROR_MS, signal);
    }
  }
}

/** All of an attempt's output so far, every stream, as it was written. */
export async function readWholeOutput({ engine, taskId, fence }: OutputTarget): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let after = 0; ; ) {
    const { chunks } = await engine.outputs.read(taskId, { fence, after, limitBytes: READ_BYTES });
    const last = chunks.at(-1);
    if (!last) return new Blob(pieces, { type: 'text/plain' });
    pieces.push(...chunks.map(({ bytes }) => new Uint8Array(bytes)));
    after = last.number;
  }
}
