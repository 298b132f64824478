/** Where a list of tasks finds its candidates, in order, without looking at all tasks. */
import type { TaskQuery } from '../../core/store/index.ts';
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import { FINAL_CODES, isFinalCode, toStateCode } from './codes.ts';
import type { Statements } from './database.ts';
import type { SqlValue } from './sql-value.ts';
import { isIdHex } from './task-rows.ts';
import { toHex } from './values.ts';

export interface Candidates {
  /** In order of the list. */
  readonly ids: readonly string[];
  /** Where to go on, and how many were looked at; null when nothing follows. */
  readonly end: { readonly place: string; readonly seen: number } | null;
}

export type NextCandidates = (after: string | null, count: number) => Promise<Candidates>;

/** With more queues than this, one walk by id is shorter than one in each queue. */
const MOST_WALKED = 100;
const LONGEST_WALK = 10_000;

const ROWS_SQL = `
  select row from queues
  where namespace = $1 and fate < 2 and ($2::text[] is null or id = any($2::text[]))`;

export async function findQueueRows(
  tx: Statements,
  namespace: string,
  { queueIds }: TaskQuery,
): Promise<number[]> {
  const wanted = queueIds ? toTexts(queueIds) : null;
  return (await tx.all<{ row: number }>(ROWS_SQL, namespace, wanted)).map(({ row }) => row);
}

export function openCandidates(
  tx: Statements,
  namespace: string,
  query: TaskQuery,
  rows: readonly number[],
): NextCandidates {
  if (query.ids || query.keys || query.node !== undefined) {
    return async (after) => ({
      ids: await findNamed(tx, namespace, query, rows, after),
      end: null,
    });
  }
  if (query.sort === 'key') return walk(tx, keySql(query), rows);
  if (rows.length > MOST_WALKED && !query.queueIds) return walkAll(tx, query, rows);
  return walk(tx, idSql(query), rows);
}

interface Found {
  readonly id: string;
  readonly place: string;
}

function walk(
  tx: Statements,
  toSql: (isFirst: boolean) => string,
  rows: readonly number[],
): NextCandidates {
  return async (after, count) => {
    const values: SqlValue[] = [toNumbers(rows), count];
    if (after !== null) values.push(toBound(after));
    const found = await tx.all<Found>(toSql(after === null), ...values);
    const last = found.at(-1);
    const isMore = last !== undefined && found.length >= count;
    return {
      ids: found.map(({ id }) => id),
      end: isMore ? { place: last.place, seen: found.length } : null,
    };
  };
}

const toBound = (hex: string): string => `\\x${isIdHex(hex) ? hex : ''}`;

function compareOf({ direction }: TaskQuery): string {
  return direction === 'asc' ? '>' : '<';
}

/** By id, in each queue: what has not ended by one index, and each final state by another. */
function idSql(query: TaskQuery): (isFirst: boolean) => string {
  const { direction } = query;
  const wanted = query.states?.map(toStateCode);
  const finals = FINAL_CODES.filter((code) => !wanted || wanted.includes(code));
  const open = wanted?.filter((code) => !isFinalCode(code));
  return (isFirst) => {
    const bound = isFirst ? '' : `and id ${compareOf(query)} $3::bytea`;
    const source = (condition: string): string => `
      (select id from tasks where queue = e.row and ${condition} ${bound}
       order by id ${direction} limit $2)`;
    const sources = finals.map((code) => source(`ended_at is not null and state = ${code}`));
    if (!open) sources.push(source('ended_at is null'));
    else if (open.length > 0) {
      sources.push(source(`ended_at is null and state in (${open.join(', ')})`));
    }
    if (sources.length === 0) sources.push('(select id from tasks where false)');
    return `
      select t.id, encode(t.id, 'hex') as place from unnest($1::int4[]) e(row)
      cross join lateral (${sources.join(' union all ')}) t
      order by t.id ${direction} limit $2`;
  };
}

function keySql(query: TaskQuery): (isFirst: boolean) => string {
  const { direction } = query;
  const compare = compareOf(query);
  return (isFirst) => {
    const bound = isFirst
      ? ''
      : `and substring(key, 1, 1000) ${compare}= substring($3::bytea, 1, 1000)
         and key ${compare} $3::bytea`;
    return `
      select t.id, encode(t.key, 'hex') as place from unnest($1::int4[]) e(row)
      cross join lateral (
        select id, key from tasks where queue = e.row and key is not null ${bound}
        order by substring(key, 1, 1000) ${direction}, key ${direction} limit $2) t
      order by t.key ${direction} limit $2`;
  };
}

/** By id through all queues of all namespaces. */
function walkAll(tx: Statements, query: TaskQuery, rows: readonly number[]): NextCandidates {
  const { direction } = query;
  const own = new Set(rows);
  const toSql = (isFirst: boolean): string => `
    select id, encode(id, 'hex') as place, queue from tasks
    ${isFirst ? '' : `where id ${compareOf(query)} $2::bytea`} order by id ${direction} limit $1`;
  return async (after) => {
    const values: SqlValue[] = after === null ? [] : [toBound(after)];
    const found = await tx.all<Found & { queue: number }>(
      toSql(after === null),
      LONGEST_WALK,
      ...values,
    );
    const last = found.at(-1);
    const isMore = last !== undefined && found.length === LONGEST_WALK;
    return {
      ids: found.filter(({ queue }) => own.has(queue)).map(({ id }) => id),
      end: isMore ? { place: last.place, seen: found.length } : null,
    };
  };
}

const BY_KEY_SQL = `
  select t.id from unnest($1::int4[]) q(row) cross join unnest($2::bytea[]) e(key)
  cross join lateral (
    select id from tasks t
    where t.queue = q.row and t.key is not null
      and substring(t.key, 1, 1000) = substring(e.key, 1, 1000) and sha256(t.key) = sha256(e.key)) t`;
const BY_NODE_SQL = `
  select t.id from nodes n join tasks t on t.node = n.row and t.state in (3, 4)
  where n.namespace = $1 and n.name = $2`;
const PLACES_SQL = `
  select t.id, encode(t.key, 'hex') as key from unnest($1::bytea[]) e(id)
  cross join lateral (select id, key from tasks t where t.id = e.id limit 1) t`;

/** Tasks that the query names itself, in its order. */
async function findNamed(
  tx: Statements,
  namespace: string,
  { ids, keys, node, sort, direction }: TaskQuery,
  rows: readonly number[],
  after: string | null,
): Promise<string[]> {
  let named: readonly string[];
  if (ids) named = ids.filter(isIdHex);
  else if (keys) {
    const values = [toNumbers(rows), toByteas(keys.map(toHex))];
    named = (await tx.all<{ id: string }>(BY_KEY_SQL, ...values)).map(({ id }) => id);
  } else {
    const found = await tx.all<{ id: string }>(BY_NODE_SQL, namespace, node ?? '');
    named = found.map(({ id }) => id);
  }
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: string, b: string): number => (a < b ? -sign : a > b ? sign : 0);
  const places = await tx.all<{ id: string; key: string | null }>(
    PLACES_SQL,
    toByteas([...new Set(named)]),
  );
  return places
    .filter(({ key }) => sort === 'id' || key !== null)
    .map(({ id, key }) => ({ id, place: sort === 'id' ? id : (key ?? '') }))
    .filter(({ place }) => after === null || compare(place, after) > 0)
    .sort((a, b) => compare(a.place, b.place))
    .map(({ id }) => id);
}
