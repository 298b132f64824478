/**
 * What is used of a queue's keyed limits: live tasks by key, and claims by key while they count
 * towards a rate. Only queues with such limits pay for it.
 */
import { type Json, type KeyedLimit, limitKeysOf } from '../../core/store/index.ts';
import type { Database } from './database.ts';
import type { QueueEntry } from './queue-cache.ts';
import { fromQuoted, toQuoted } from './rows.ts';

const ADD_LIVE_SQL = `
  insert into limit_lives (queue, slot, key, lives) values (?, ?, ?, 1)
  on conflict (queue, slot, key) do update set lives = lives + 1`;
const END_LIVE_SQL = `
  update limit_lives set lives = lives - 1 where queue = ? and slot = ? and key = ?`;
const DROP_UNUSED_SQL =
  'delete from limit_lives where queue = ? and slot = ? and key = ? and lives <= 0';
const COUNT_LIVES_SQL = 'select lives from limit_lives where queue = ? and slot = ? and key = ?';
const ADD_START_SQL =
  'insert into limit_starts (queue, name, key, at, until) values (?, ?, ?, ?, ?)';
const COUNT_STARTS_SQL = `
  select count(*) as starts from (
    select 1 from limit_starts where queue = ? and name = ? and key = ? and at > ? limit ?)`;
const DROP_STARTS_SQL = `
  delete from limit_starts
  where rowid in (select rowid from limit_starts where until <= ? order by until limit ?)`;

/** A task's keys as they are stored; one that is missing is "". */
export function fromLimitKeys(text: string | null): readonly string[] {
  return text === null ? [] : JSON.parse(text);
}

/** null only in a queue without keyed limits: there the index of keys need not hold the task. */
export function toLimitKeys({ queue }: QueueEntry, params: Json): string | null {
  return queue.limits.length === 0 ? null : JSON.stringify(limitKeysOf(queue.limits, params));
}

/** The keys that a task's params say now; null in a queue without keyed limits. */
export function readLimitKeys(db: Database, entry: QueueEntry, taskRow: number): string | null {
  if (entry.queue.limits.length === 0) return null;
  const [params] = db.tuples<readonly [string]>('select params from tasks where row = ?', [
    taskRow,
  ]);
  return toLimitKeys(entry, params ? JSON.parse(params[0]) : null);
}

export function beginLimited(
  db: Database,
  { row, queue }: QueueEntry,
  limitKeys: string | null,
  now: number,
): void {
  if (queue.limits.length === 0) return;
  const keys = fromLimitKeys(limitKeys);
  for (const [slot, { name, perMs }] of queue.limits.entries()) {
    const key = keys[slot] ?? '';
    db.run(ADD_LIVE_SQL, row, slot, toQuoted(key));
    if (perMs !== null) db.run(ADD_START_SQL, row, toQuoted(name), toQuoted(key), now, now + perMs);
  }
}

/** Claims made elsewhere, as far as they still count towards a rate. */
export function addStarts(
  db: Database,
  { row, queue }: QueueEntry,
  {
    limitKeys,
    claims,
    now,
  }: {
    readonly limitKeys: string | null;
    readonly claims: readonly number[];
    readonly now: number;
  },
): void {
  if (queue.limits.length === 0) return;
  const keys = fromLimitKeys(limitKeys);
  for (const [slot, { name, perMs }] of queue.limits.entries()) {
    if (perMs === null) continue;
    const key = toQuoted(keys[slot] ?? '');
    for (const at of claims) {
      if (at + perMs > now) db.run(ADD_START_SQL, row, toQuoted(name), key, at, at + perMs);
    }
  }
}

export function endLimited(
  db: Database,
  { row, queue }: QueueEntry,
  limitKeys: string | null,
): void {
  if (queue.limits.length === 0) return;
  const keys = fromLimitKeys(limitKeys);
  for (const slot of queue.limits.keys()) {
    const key = keys[slot] ?? '';
    db.run(END_LIVE_SQL, row, slot, toQuoted(key));
    db.run(DROP_UNUSED_SQL, row, slot, toQuoted(key));
  }
}

const OPEN_SQL = `
  select row, params from tasks where queue = ? and ended_at is null and row > ? order by row limit 1000`;

/** Gives every task that has not ended its keys anew. */
function keyAnew(db: Database, entry: QueueEntry): void {
  for (let last = -1; ; ) {
    const open = db.tuples<readonly [row: number, params: string]>(OPEN_SQL, [entry.row, last]);
    for (const [row, params] of open) {
      const keys = toLimitKeys(entry, JSON.parse(params));
      db.run('update tasks set limit_keys = ? where row = ?', keys, row);
    }
    const end = open.at(-1);
    if (!end) return;
    last = end[0];
  }
}

/** After the queue's limits have changed. */
export function limitAnew(db: Database, entry: QueueEntry): void {
  const { row, queue } = entry;
  db.run('delete from limit_lives where queue = ?', row);
  if (queue.limits.length === 0) return;
  keyAnew(db, entry);
  const lives = db.tuples<[string]>(
    `select limit_keys from tasks indexed by tasks_lease_idx where state in (3, 4) and queue = ?`,
    [row],
  );
  for (const [limitKeys] of lives) {
    const keys = fromLimitKeys(limitKeys);
    for (const slot of queue.limits.keys())
      db.run(ADD_LIVE_SQL, row, slot, toQuoted(keys[slot] ?? ''));
  }
}

export function dropLimited(db: Database, queueRow: number): void {
  db.run('delete from limit_lives where queue = ?', queueRow);
  db.run('delete from limit_starts where queue = ?', queueRow);
}

/** Forgets claims that count towards no rate any more. */
export function dropOldStarts(db: Database, now: number, limit: number): void {
  db.run(DROP_STARTS_SQL, now, limit);
}

/** What the keyed limits leave, within one step. */
export interface Rooms {
  /** How many more tasks with these keys may be claimed. */
  of(keys: readonly string[]): number;
  take(keys: readonly string[]): void;
}

/** Reads what is used of a key when it is asked for, or of all keys at once when many will be. */
export function createRooms(
  db: Database,
  entry: QueueEntry,
  { now, readAll }: { readonly now: number; readonly readAll: boolean },
): Rooms {
  const { limits } = entry.queue;
  const rooms = readAll ? readRooms(db, entry, now) : new Map<string, number>();

  function read(slot: number, limit: KeyedLimit, key: string): number {
    const name = `${slot}\n${key}`;
    const known = rooms.get(name);
    if (known !== undefined) return known;
    const room = readAll ? limit.max : roomOf(db, entry.row, { slot, limit, key, now });
    rooms.set(name, room);
    return room;
  }

  return {
    of: (keys) =>
      limits.reduce(
        (room, limit, slot) => Math.min(room, read(slot, limit, keys[slot] ?? '')),
        Number.POSITIVE_INFINITY,
      ),
    take(keys) {
      for (const [slot, limit] of limits.entries()) {
        const key = keys[slot] ?? '';
        rooms.set(`${slot}\n${key}`, read(slot, limit, key) - 1);
      }
    },
  };
}

const ALL_LIVES_SQL = 'select key, lives from limit_lives where queue = ? and slot = ?';
const ALL_STARTS_SQL = `
  select key, count(*) from limit_starts where queue = ? and name = ? and at > ? group by key`;

/** By slot and key, of keys that are in use at all. */
function readRooms(db: Database, { row, queue }: QueueEntry, now: number): Map<string, number> {
  const rooms = new Map<string, number>();
  for (const [slot, { name, max, perMs }] of queue.limits.entries()) {
    const used =
      perMs === null
        ? db.tuples<readonly [string, number]>(ALL_LIVES_SQL, [row, slot])
        : db.tuples<readonly [string, number]>(ALL_STARTS_SQL, [row, toQuoted(name), now - perMs]);
    for (const [key, count] of used) rooms.set(`${slot}\n${fromQuoted(key)}`, max - count);
  }
  return rooms;
}

interface Question {
  readonly slot: number;
  readonly limit: KeyedLimit;
  readonly key: string;
  readonly now: number;
}

function roomOf(db: Database, queueRow: number, { slot, limit, key, now }: Question): number {
  const { name, max, perMs } = limit;
  if (perMs === null) {
    const { lives } = db.get<{ lives: number }>(COUNT_LIVES_SQL, queueRow, slot, toQuoted(key)) ?? {
      lives: 0,
    };
    return max - lives;
  }
  const { starts } = db.get<{ starts: number }>(
    COUNT_STARTS_SQL,
    queueRow,
    toQuoted(name),
    toQuoted(key),
    now - perMs,
    max,
  ) ?? { starts: 0 };
  return max - starts;
}

/** Names of the limits that are used up for these keys. */
export function fullLimits(
  db: Database,
  entry: QueueEntry,
  keys: readonly string[],
  now: number,
): string[] {
  return entry.queue.limits
    .filter((limit, slot) => roomOf(db, entry.row, { slot, limit, key: keys[slot] ?? '', now }) < 1)
    .map(({ name }) => name);
}
