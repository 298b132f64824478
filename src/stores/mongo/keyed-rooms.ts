/** What a queue's keyed limits leave. Counted anew in each step, never kept. */
import type { KeyedLimit } from '../../core/store/index.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';
import { fromStoredText, toStoredText } from './texts.ts';

export interface KeyedRooms {
  hasRoom(keys: readonly string[]): boolean;
  take(keys: readonly string[]): void;
  full(keys: readonly string[]): string[];
}

export async function readRooms(
  space: Space,
  { documentId, settings }: QueueRecord,
  now: number,
): Promise<KeyedRooms> {
  const { limits } = settings;
  const used = new Map<string, number>();
  const add = (slot: number, key: string, count: number): void => {
    const name = `${slot}\n${key}`;
    used.set(name, (used.get(name) ?? 0) + count);
  };

  if (limits.some(({ perMs }) => perMs === null)) {
    const live = { queue: documentId, status: { $in: LIVE as number[] } };
    const projection = { 'batchyard.live.limitKeys': 1 };
    for await (const { batchyard } of space.tasks.find(live, { projection })) {
      const keys = (batchyard?.live?.limitKeys ?? []).map(fromStoredText);
      for (const [slot, { perMs }] of limits.entries()) {
        if (perMs === null) add(slot, keys[slot] ?? '', 1);
      }
    }
  }
  for (const [slot, { name, perMs }] of limits.entries()) {
    if (perMs === null) continue;
    const match = {
      queue: documentId,
      name: toStoredText(name),
      at: { $gt: new Date(now - perMs) },
    };
    const group = { _id: '$key', count: { $sum: 1 } };
    const counted = space.starts.aggregate<{ _id: string; count: number }>([
      { $match: match },
      { $group: group },
    ]);
    for await (const { _id, count } of counted) add(slot, fromStoredText(_id), count);
  }

  const isFull = ({ max }: KeyedLimit, slot: number, keys: readonly string[]): boolean =>
    (used.get(`${slot}\n${keys[slot] ?? ''}`) ?? 0) >= max;
  return {
    hasRoom: (keys) => !limits.some((limit, slot) => isFull(limit, slot, keys)),
    full: (keys) =>
      limits.filter((limit, slot) => isFull(limit, slot, keys)).map(({ name }) => name),
    take(keys) {
      for (const slot of limits.keys()) add(slot, keys[slot] ?? '', 1);
    },
  };
}

/** Names of the limits that are used up for these keys. */
export async function fullLimits(
  space: Space,
  { queue, keys, now }: { queue: QueueRecord; keys: readonly string[]; now: number },
): Promise<string[]> {
  if (queue.settings.limits.length === 0) return [];
  return (await readRooms(space, queue, now)).full(keys);
}
