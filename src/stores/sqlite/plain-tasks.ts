import type { NewTask } from '../../core/store/index.ts';
import { QUEUED } from './codes.ts';
import type { RowWriter } from './many-rows.ts';
import type { QueueEntry } from './queue-cache.ts';
import type { SqlValue } from './sql-value.ts';

/** What most tasks are: queued at once, with params and nothing else. */
export function isPlain({ queue }: QueueEntry, task: NewTask, params: string): boolean {
  if (task.key !== null || task.unique !== null || task.external) return false;
  for (const _ in task.labels) return false;
  return (
    queue.limits.length === 0 && task.rank.length === ID_BYTES && params.length <= LONGEST_PARAMS
  );
}

const ID_BYTES = 12;
/** So that one statement stays below 2 MB. */
const LONGEST_PARAMS = 4096;
const MOST_AT_ONCE = 500;

// Binding a value costs more than cutting it out of a long one: 4 µs a task against 7.
const INSERT_SQL = `
  insert into tasks (id, queue, state, priority, created_at, updated_at, rank, params)
  select substr(?4, 1 + ${ID_BYTES} * key, ${ID_BYTES}), ?1, ${QUEUED}, ?2, ?3, ?3,
    substr(?5, 1 + ${ID_BYTES} * key, ${ID_BYTES}), value
  from json_each(?6)`;

export type PlainValues = readonly [
  queueRow: number,
  priority: number,
  now: number,
  id: string,
  rank: Uint8Array,
  params: string,
];
const WIDTH = 6;

/** Writes tasks given as PlainValues, one after the other; those of one queue, priority and instant go together. */
export const PLAIN_TASKS: RowWriter = {
  write(values, run) {
    for (let from = 0; from < values.length; ) {
      let to = from + WIDTH;
      const most = Math.min(values.length, from + MOST_AT_ONCE * WIDTH);
      while (to < most && isAlike(values, from, to)) to += WIDTH;
      writeAlike(values, from, to, run);
      from = to;
    }
  },
};

function isAlike(values: readonly SqlValue[], a: number, b: number): boolean {
  return (
    values[a] === values[b] && values[a + 1] === values[b + 1] && values[a + 2] === values[b + 2]
  );
}

type Run = (sql: string, values: readonly SqlValue[]) => void;

function writeAlike(values: readonly SqlValue[], from: number, to: number, run: Run): void {
  const ranks = new Uint8Array(((to - from) / WIDTH) * ID_BYTES);
  const params: SqlValue[] = [];
  let ids = '';
  for (let at = from; at < to; at += WIDTH) {
    ranks.set(values[at + 4] as Uint8Array, params.length * ID_BYTES);
    ids += values[at + 3];
    params.push(values[at + 5] as string);
  }
  const shared = values.slice(from, from + 3);
  run(INSERT_SQL, [...shared, Buffer.from(ids, 'hex'), ranks, JSON.stringify(params)]);
}
