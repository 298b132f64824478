import type { Readable } from 'node:stream';
import type { Clock } from '../../core/index.ts';
import type { OutputPump } from '../output/output-pump.ts';

/** Reads one pipe of a program into the task's output, no faster than the engine takes it. */
export interface OutputReader {
  /**
   * Resolves when the pipe has ended. Called once the program is gone: a process that left its
   * group may still hold the pipe open, so a pipe that stays silent is let go. True: it was.
   */
  finish(): Promise<boolean>;
  /** The last line of it, for the attempt's error. */
  lastLine(): string;
}

export interface ReaderOptions {
  readonly pipe: Readable;
  readonly stream: 'stdout' | 'stderr';
  readonly clock: Clock;
  /** Made when first needed. */
  readonly pump: () => OutputPump;
}

const SILENCE_MS = 1000;
const LONGEST_LINE = 500;

export function createOutputReader({ pipe, stream, clock, pump }: ReaderOptions): OutputReader {
  let lastBytes: Uint8Array = new Uint8Array();
  let heardMs = clock.monotonicMs();
  let isHeldBack = false;
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    pipe.once('close', () => {
      isOver = true;
      resolve();
    });
  });

  pipe.on('error', () => {}); // It ends with `close` all the same.
  pipe.on('data', (bytes: Buffer) => {
    heardMs = clock.monotonicMs();
    lastBytes = bytes.subarray(-2 * LONGEST_LINE);
    if (pump().write(stream, bytes)) return;
    isHeldBack = true;
    pipe.pause();
    void pump()
      .room()
      .then(() => {
        isHeldBack = false;
        heardMs = clock.monotonicMs();
        pipe.resume();
      });
  });

  return {
    async finish() {
      heardMs = clock.monotonicMs();
      while (!isOver) {
        const silentMs = clock.monotonicMs() - heardMs;
        if (!isHeldBack && silentMs >= SILENCE_MS) {
          pipe.destroy();
          return true;
        }
        const pause = new AbortController();
        void over.then(() => pause.abort());
        await clock.sleep(Math.max(SILENCE_MS - silentMs, 1), pause.signal);
      }
      return false;
    },
    lastLine() {
      const lines = Buffer.from(lastBytes).toString('utf8').trimEnd().split('\n');
      return (lines.at(-1) ?? '').trim().slice(0, LONGEST_LINE);
    },
  };
}
