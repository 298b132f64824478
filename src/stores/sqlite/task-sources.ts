/** Where a list of tasks finds its candidates, in order, without looking at all tasks. */
import type { TaskQuery } from '../../core/store/index.ts';
import { isFinalCode, isLiveCode, STATES, toStateCode } from './codes.ts';
import { manyRows, readRows } from './many-rows.ts';
import type { Source } from './ordered-merge.ts';
import type { QueueEntry } from './queue-cache.ts';
import { toIdBytes } from './rows.ts';
import type { Session } from './session.ts';
import type { SqlValue } from './sql-value.ts';

/** A task's place in the list, as text that sorts: its id, or its key in hex. */
export type Found = readonly [place: string, row: number];

/** Up to so many tasks of a state are sorted; beyond, they are looked for among all that are open. */
const MOST_SORTED = 10_000;
const LARGEST_PIECE = 500;

export interface Place {
  readonly compare: '>' | '<';
  readonly order: 'asc' | 'desc';
  /** Everything after these bytes; a number is before all bytes. */
  readonly after: Uint8Array | 0;
}

export function sourcesOf(session: Session, namespace: string, query: TaskQuery): Source<Found>[] {
  const entries = entriesOf(session, namespace, query);
  const place = placeOf(query);
  const named = namedRows(session, namespace, entries, query);
  if (named) return [[sortNamed(session, named, query)].values()];
  const sources = entries.flatMap((entry) =>
    query.sort === 'key'
      ? [{ sql: keySql(place), values: [entry.row] }]
      : idSources(entry, query, place),
  );
  return sources.map(({ sql, values }) =>
    piecesOf(session, place, { sql, values }, sources.length),
  );
}

function entriesOf({ queues }: Session, namespace: string, { queueIds }: TaskQuery): QueueEntry[] {
  if (!queueIds) return queues.listReadable(namespace);
  const entries = [...new Set(queueIds)].map((id) => queues.find(id));
  return entries.filter(
    (entry) => entry !== null && entry.queue.namespace === namespace,
  ) as QueueEntry[];
}

function placeOf({ sort, direction, after }: TaskQuery): Place {
  const isUp = direction === 'asc';
  const end = isUp ? 0 : new Uint8Array(sort === 'id' ? 13 : 5000).fill(0xff);
  return {
    compare: isUp ? '>' : '<',
    order: direction,
    after: after === null ? end : toIdBytes(after),
  };
}

interface Pieces {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

function* piecesOf(
  { db }: Session,
  { after }: Place,
  { sql, values }: Pieces,
  sourceCount: number,
): Generator<readonly Found[], void> {
  let last: SqlValue = after;
  let size = Math.max(4, Math.ceil(200 / sourceCount));
  for (;;) {
    const piece = db.tuples<Found>(sql, [...values, last, size]);
    yield piece;
    const end = piece.at(-1);
    if (!end || piece.length < size) return;
    last = toIdBytes(end[0]);
    size = Math.min(2 * size, LARGEST_PIECE);
  }
}

/** Tasks of some states of a queue, in order of id. */
function idSources({ row, counts }: QueueEntry, { states }: TaskQuery, place: Place): Pieces[] {
  const wanted = states ? new Set(states.map(toStateCode)) : new Set(STATES.keys());
  const held = [...wanted].filter((code) => (counts[code] ?? 0) > 0);
  const ended = held
    .filter(isFinalCode)
    .map((code) => ({ sql: endedSql(place), values: [row, code] }));
  const open = held.filter((code) => !isFinalCode(code));
  if (open.length === 0) return ended;

  const others = [...STATES.keys()].filter((code) => !isFinalCode(code) && !wanted.has(code));
  const isAll = others.every((code) => counts[code] === 0);
  const count = open.reduce((sum, code) => sum + (counts[code] ?? 0), 0);
  if (isAll || count > MOST_SORTED) return [...ended, { sql: openSql(place), values: [row] }];
  return [...ended, ...open.map((code) => ({ sql: stateSql(code, place), values: [row] }))];
}

export function openSql({ compare, order }: Place): string {
  return `select lower(hex(id)), row from tasks
    where queue = ? and ended_at is null and id ${compare} ? order by id ${order} limit ?`;
}

export function endedSql({ compare, order }: Place): string {
  return `select lower(hex(id)), row from tasks
    where queue = ? and state = ? and ended_at is not null and id ${compare} ?
    order by id ${order} limit ?`;
}

/** By the state's own index, then sorted: +id keeps SQLite from walking all ids instead. */
function stateSql(code: number, { compare, order }: Place): string {
  const state = isLiveCode(code) ? `state in (3, 4) and +state = ${code}` : `state = ${code}`;
  const index = isLiveCode(code) ? 'indexed by tasks_lease_idx' : '';
  return `select lower(hex(id)), row from tasks ${index}
    where queue = ? and ${state} and +id ${compare} ? order by +id ${order} limit ?`;
}

export function keySql({ compare, order }: Place): string {
  return `select lower(hex(key)), row from tasks
    where queue = ? and key is not null and key ${compare} ? order by key ${order} limit ?`;
}

const BY_ID = manyRows(
  1,
  (rows) => `select t.row from (values ${rows}) e cross join tasks t on t.id = e.column1`,
);
const BY_KEY = manyRows(
  2,
  (rows) => `
  select t.row from (values ${rows}) e
  cross join tasks t on t.queue = e.column1 and t.key = e.column2 where t.key is not null`,
);
const BY_NODE_SQL = `
  select row from tasks indexed by tasks_lease_idx where state in (3, 4) and node = ?`;

/** Tasks that the query names itself; null when it names none. */
function namedRows(
  { db, nodes }: Session,
  namespace: string,
  entries: readonly QueueEntry[],
  { ids, keys, node }: TaskQuery,
): number[] | null {
  const rows = (tuples: [number][]): number[] => [...new Set(tuples.map(([row]) => row))];
  if (ids) return rows(readRows(db, BY_ID, ids.map(toIdBytes)));
  if (keys) {
    const pairs = entries.flatMap(({ row }) => keys.flatMap((key) => [row, key]));
    return rows(readRows(db, BY_KEY, pairs));
  }
  if (node === undefined) return null;
  const holder = nodes.find(namespace, node);
  return holder ? rows(db.tuples(BY_NODE_SQL, [holder.row])) : [];
}

const PLACES = manyRows(
  1,
  (rows) => `
  select lower(hex(t.id)), lower(hex(t.key)), t.row
  from (values ${rows}) e cross join tasks t on t.row = e.column1`,
);

function sortNamed(
  { db }: Session,
  rows: readonly number[],
  { sort, direction, after }: TaskQuery,
): Found[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: string, b: string): number => (a < b ? -sign : a > b ? sign : 0);
  return readRows<readonly [string, string | null, number]>(db, PLACES, rows)
    .filter(([, key]) => sort === 'id' || key !== null)
    .map(([id, key, row]): Found => [sort === 'id' ? id : (key ?? ''), row])
    .filter(([place]) => after === null || compare(place, after) > 0)
    .sort(([a], [b]) => compare(a, b));
}
