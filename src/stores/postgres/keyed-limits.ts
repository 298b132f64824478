/** What is used of a queue's keyed limits: live tasks by key, and claims by key towards a rate. */
import { type Json, type KeyedLimit, limitKeysOf } from '../../core/store/index.ts';
import type { Statements } from './database.ts';
import type { QueueEntry } from './queue-entry.ts';
import { toIndexed, toQuoted } from './values.ts';

/** Keys are only ever compared, so long ones stand as their digests. */
export function toLimitKeys(limits: readonly KeyedLimit[], params: Json): string {
  return JSON.stringify(limitKeysOf(limits, params).map(toIndexed));
}

export function fromLimitKeys(text: string | null): readonly string[] {
  return text === null ? [] : JSON.parse(text);
}

const LIVES_SQL = `
  select limit_keys as "limitKeys", count(*) as count from tasks
  where queue = $1 and state in (3, 4) and limit_keys is not null group by limit_keys`;
const STARTS_SQL = `
  select key, count(*) as count from limit_starts
  where queue = $1 and name = $2 and at > $3 group by key`;

/** What the keyed limits leave, within one step that holds the queue's lock. */
export interface Rooms {
  /** How many more tasks with these keys may be claimed. */
  of(keys: readonly string[]): number;
  take(keys: readonly string[]): void;
  /** Names of the limits that are used up for these keys. */
  fullFor(keys: readonly string[]): string[];
}

export async function readRooms(
  db: Statements,
  { row, queue: { limits } }: Pick<QueueEntry, 'row' | 'queue'>,
  now: number,
): Promise<Rooms> {
  const used = limits.map(() => new Map<string, number>());
  const use = (slot: number, key: string, count: number): void => {
    used[slot]?.set(key, (used[slot].get(key) ?? 0) + count);
  };
  if (limits.some(({ perMs }) => perMs === null)) {
    for (const live of await db.all<{ limitKeys: string; count: number }>(LIVES_SQL, row)) {
      const keys = fromLimitKeys(live.limitKeys);
      for (const [slot, { perMs }] of limits.entries()) {
        if (perMs === null) use(slot, keys[slot] ?? '', live.count);
      }
    }
  }
  for (const [slot, { name, perMs }] of limits.entries()) {
    if (perMs === null) continue;
    const values = [row, toQuoted(name), now - perMs];
    for (const { key, count } of await db.all<{ key: string; count: number }>(
      STARTS_SQL,
      ...values,
    )) {
      use(slot, key, count);
    }
  }

  const roomOf = (slot: number, keys: readonly string[]): number =>
    (limits[slot]?.max ?? 0) - (used[slot]?.get(keys[slot] ?? '') ?? 0);
  return {
    of: (keys) =>
      limits.reduce(
        (room, _, slot) => Math.min(room, roomOf(slot, keys)),
        Number.POSITIVE_INFINITY,
      ),
    take(keys) {
      for (const slot of limits.keys()) use(slot, keys[slot] ?? '', 1);
    },
    fullFor: (keys) => limits.filter((_, slot) => roomOf(slot, keys) < 1).map(({ name }) => name),
  };
}

/** Forgets claims that count towards no rate any more. */
export const DROP_STARTS_SQL = `
  delete from limit_starts where ctid = any (array(
    select ctid from limit_starts where until <= $1 order by until limit $2))`;
