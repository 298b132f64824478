import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { toHex } from './hex.ts';

/** 24 hex digits that sort by creation. */
export type TaskId = string;
export type QueueId = string;

export interface IdSource {
  next(): string;
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

/**
 * Ids of the form seconds (4 bytes), milliseconds (2), source (3), counter (3):
 * a valid MongoDB ObjectId with a true timestamp, in order of creation within a
 * source and within a millisecond across sources.
 */
export function createIdSource(clock: Pick<Clock, 'now'>, random: Random): IdSource {
  const source = toHex(random.bytes(3));
  let lastMs = 0;
  let head = '';
  let counter = 0;
  return {
    next() {
      const ms = clock.now().getTime();
      if (ms > lastMs || counter >= 0xffffff) {
        lastMs = Math.max(ms, lastMs + 1);
        counter = 0;
        const seconds = Math.floor(lastMs / 1000);
        head = hex(seconds, 8) + hex(lastMs % 1000, 4) + source;
      }
      counter += 1;
      return head + hex(counter, 6);
    },
  };
}

/** When an id was made, to the second for ids from elsewhere. */
export function idTime(id: string): Date {
  const seconds = Number.parseInt(id.slice(0, 8), 16);
  const ms = Number.parseInt(id.slice(8, 12), 16);
  return new Date(seconds * 1000 + (ms < 1000 ? ms : 0));
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
