import {
  BatchError,
  type Clock,
  type OutputChunk,
  type OutputStream,
  type Random,
} from '../../core/index.ts';
import { createBackoff } from '../backoff.ts';
import { mayPass } from '../engine-trouble.ts';
import { splitPiece, toChunks } from './output-chunks.ts';
import { createOutputLimit } from './output-limit.ts';
import type { OutputPiece } from './output-piece.ts';
import { wholeCharactersLength } from './utf8-boundary.ts';

/** Carries what one task writes to the engine, in numbered chunks, while it runs. */
export interface OutputPump {
  /** False: the engine is behind; wait for `room` before writing more. */
  write(stream: OutputStream, bytes: Uint8Array): boolean;
  /** Resolves when the engine has caught up. */
  room(): Promise<void>;
  /** Our own words in the stream. */
  note(text: string): void;
  /** Hands over the rest. Resolves when the engine has it all, or nothing more can be handed over. */
  close(): Promise<void>;
  /** Nothing more is handed over. */
  abandon(): void;
}

export interface PumpOptions {
  readonly append: (chunks: readonly Omit<OutputChunk, 'at'>[]) => Promise<void>;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly random: Random;
  /** The engine said that the lease is lost. */
  readonly onLost: () => void;
  /** The engine refused the chunks for another reason; the rest of the output is dropped. */
  readonly onRefused: (error: unknown) => void;
}

const GATHER_MS = 100;
const GATHER_BYTES = 64 * 1024;
/** The most in one call. */
const CALL_BYTES = 256 * 1024;
/** More than this in hand, and the writer is asked to wait. */
const HIGH_WATER_BYTES = 512 * 1024;
const RETRY = { baseMs: 100, maxMs: 5000 };

export function createOutputPump(options: PumpOptions): OutputPump {
  const { clock } = options;
  const limit = createOutputLimit(options.maxBytes);
  const backoff = createBackoff(options.random, RETRY);
  const abandoned = new AbortController();
  /** Bytes of a character whose end has not come yet. */
  const carried = new Map<OutputStream, Uint8Array>();
  let pending: OutputPiece[] = [];
  let pendingBytes = 0;
  let nextNumber = 1;
  let noteOffset = 0;
  let timer: Disposable | null = null;
  let sending: Promise<void> | null = null;
  const waiting: (() => void)[] = [];

  const isDone = (): boolean => abandoned.signal.aborted;
  const abandon = (): void => {
    abandoned.abort();
    timer?.[Symbol.dispose]();
    pending = [];
    pendingBytes = 0;
    makeRoom();
  };
  const makeRoom = (): void => {
    if (pendingBytes > HIGH_WATER_BYTES) return;
    for (const resolve of waiting.splice(0)) resolve();
  };

  const append = async (chunks: readonly Omit<OutputChunk, 'at'>[]): Promise<void> => {
    while (!isDone()) {
      try {
        await options.append(chunks);
        return backoff.reset();
      } catch (error) {
        if (error instanceof BatchError && error.code === 'LEASE_LOST') {
          abandon();
          options.onLost();
        } else if (mayPass(error)) {
          await clock.sleep(backoff.nextMs(), abandoned.signal);
        } else {
          abandon();
          options.onRefused(error);
        }
      }
    }
  };
  const send = async (): Promise<void> => {
    while (pending.length > 0) {
      let count = 0;
      let bytes = 0;
      while (count < pending.length && bytes < CALL_BYTES) {
        bytes += (pending[count] as OutputPiece).bytes.length;
        count += 1;
      }
      const chunks = toChunks(pending.splice(0, count), nextNumber);
      nextNumber += chunks.length;
      await append(chunks);
      if (!isDone()) pendingBytes -= bytes;
      makeRoom();
    }
    sending = null;
  };
  const flush = (): void => {
    timer?.[Symbol.dispose]();
    timer = null;
    if (pending.length > 0) sending ??= send();
  };
  const enqueue = (piece: OutputPiece | null): void => {
    if (!piece) return;
    for (const part of splitPiece(piece)) pending.push(part);
    pendingBytes += piece.bytes.length;
    if (pendingBytes >= GATHER_BYTES) flush();
    else timer ??= clock.after(GATHER_MS, flush);
  };
  const note = (text: string): void => {
    if (isDone()) return;
    const bytes = Buffer.from(`${text}\n`, 'utf8');
    enqueue({ stream: 'system', offset: noteOffset, bytes });
    noteOffset += bytes.length;
  };

  return {
    abandon,
    note,
    write(stream, bytes) {
      if (isDone()) return true;
      const before = carried.get(stream);
      const whole = before ? Buffer.concat([before, bytes]) : bytes;
      const length = wholeCharactersLength(whole);
      carried.delete(stream);
      if (length < whole.length) carried.set(stream, Uint8Array.from(whole.subarray(length)));
      enqueue(limit.take(stream, whole.subarray(0, length)));
      return pendingBytes <= HIGH_WATER_BYTES;
    },
    room: () =>
      pendingBytes <= HIGH_WATER_BYTES
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    async close() {
      if (isDone()) return;
      for (const [stream, bytes] of carried) enqueue(limit.take(stream, bytes));
      const { droppedBytes, tail } = limit.end();
      if (droppedBytes > 0) {
        note(
          `[${droppedBytes} bytes dropped here: the queue keeps ${options.maxBytes} per attempt]`,
        );
      }
      for (const piece of tail) enqueue(piece);
      flush();
      // A call that is never answered must not outlast the lease.
      const gaveUp = new Promise((resolve) =>
        abandoned.signal.addEventListener('abort', resolve, { once: true }),
      );
      await Promise.race([sending, gaveUp]);
    },
  };
}
