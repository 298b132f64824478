/** Writes what the work of a transaction has brought about, each kind of thing in one statement. */
import { toByteas, toFlags, toNumbers, toTexts } from './array-literal.ts';
import { STATES } from './codes.ts';
import type { TaskRow } from './rows.ts';
import type { SqlValue } from './sql-value.ts';
import { withPlaces } from './task-rows.ts';
import { toQuoted } from './values.ts';
import type { Work } from './work.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly toList: (tasks: readonly TaskRow[]) => SqlValue;
}

const numbers = (name: string, type: string, of: (task: TaskRow) => number | null): Column => ({
  name,
  type,
  toList: (tasks) => toNumbers(tasks.map(of)),
});
const texts = (name: string, of: (task: TaskRow) => string | null): Column => ({
  name,
  type: 'text',
  toList: (tasks) => toTexts(tasks.map(of)),
});
const byteas = (name: string, of: (task: TaskRow) => string | null): Column => ({
  name,
  type: 'bytea',
  toList: (tasks) => toByteas(tasks.map(of)),
});

const ID = byteas('id', (task) => task.id);
const FIXED: readonly Column[] = [
  numbers('queue', 'int4', (task) => task.queue),
  numbers('created_at', 'int8', (task) => task.createdAt),
  byteas('key', (task) => task.key),
];
const MOVING: readonly Column[] = [
  numbers('state', 'int2', (task) => task.state),
  numbers('hold', 'int2', (task) => task.hold),
  numbers('fence', 'int4', (task) => task.fence),
  numbers('claim_count', 'int4', (task) => task.claimCount),
  numbers('try_count', 'int4', (task) => task.tryCount),
  numbers('loss_count', 'int4', (task) => task.lossCount),
  numbers('round_count', 'int4', (task) => task.roundCount),
  numbers('node', 'int4', (task) => task.node),
  numbers('claim', 'int8', (task) => task.claim),
  numbers('claimed_at', 'int8', (task) => task.claimedAt),
  numbers('started_at', 'int8', (task) => task.startedAt),
  numbers('expires_at', 'int8', (task) => task.expiresAt),
  numbers('not_before', 'int8', (task) => task.notBefore),
  {
    name: 'external',
    type: 'bool',
    toList: (tasks) => toFlags(tasks.map(({ external }) => external)),
  },
  numbers('code', 'int8', (task) => task.code),
  numbers('last_outcome', 'int2', (task) => task.lastOutcome),
  numbers('cancel_requested_at', 'int8', (task) => task.cancelRequestedAt),
  numbers('updated_at', 'int8', (task) => task.updatedAt),
  numbers('ended_at', 'int8', (task) => task.endedAt),
  numbers('priority', 'float8', (task) => task.priority),
  byteas('rank', (task) => task.rank),
  texts('unique_key', (task) => task.uniqueKey),
  texts('limit_keys', (task) => task.limitKeys),
  texts('labels', (task) => task.labels),
  texts('error', (task) => task.error),
  texts('params', (task) => task.params),
  texts('result', (task) => task.result),
];

const listOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');
const unnestOf = (columns: readonly Column[]): string =>
  `unnest(${columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')}) e(${listOf(columns)})`;

const SAVED = [ID, ...MOVING];
export const SAVE_SQL = `
  update tasks t set ${MOVING.map(({ name }) => `${name} = e.${name}`).join(', ')}
  from ${withPlaces(unnestOf(SAVED))} where t.ctid = e.place`;
const ADDED = [ID, ...FIXED, ...MOVING];
const ADD_SQL = `insert into tasks (${listOf(ADDED)}) select ${listOf(ADDED)} from ${unnestOf(ADDED)}`;

const ADD_ATTEMPTS_SQL = `
  insert into attempts (task, fence, node, claimed_at, started_at, expires_at, outcome, code, error,
    data, ended_at)
  select e.*, $11::int8 from unnest($1::bytea[], $2::int4[], $3::int4[], $4::int8[], $5::int8[],
    $6::int8[], $7::int2[], $8::int8[], $9::text[], $10::text[]) e`;

const ADD_STARTS_SQL = `
  insert into limit_starts (queue, name, key, until, at)
  select e.*, $5::int8 from unnest($1::int4[], $2::text[], $3::text[], $4::int8[]) e`;

const SHARDS = STATES.map((_, code) => `s${code}`);
export const COUNT_SQL = `
  insert into task_counts as c (queue, shard, ${SHARDS.join(', ')})
  select e.queue, own_shard(), ${SHARDS.map((name) => `e.${name}`).join(', ')}
  from unnest($1::int4[], ${SHARDS.map((_, at) => `$${at + 2}::int8[]`).join(', ')})
    e(queue, ${SHARDS.join(', ')})
  on conflict (queue, shard) do update set
    ${SHARDS.map((name) => `${name} = c.${name} + excluded.${name}`).join(', ')}`;

/** Writes all that the work has brought about; afterwards it can go on. */
export async function flush(work: Work): Promise<void> {
  const { db, added, changed, ended, starts, counts, now } = work;
  const valuesOf = (columns: readonly Column[], tasks: readonly TaskRow[]): SqlValue[] =>
    columns.map(({ toList }) => toList(tasks));
  if (changed.size > 0) await db.run(SAVE_SQL, ...valuesOf(SAVED, [...changed]));
  if (added.size > 0) await db.run(ADD_SQL, ...valuesOf(ADDED, [...added]));
  if (ended.length > 0) {
    await db.run(
      ADD_ATTEMPTS_SQL,
      toByteas(ended.map(({ task }) => task)),
      toNumbers(ended.map(({ fence }) => fence)),
      toNumbers(ended.map(({ node }) => node)),
      toNumbers(ended.map(({ claimedAt }) => claimedAt)),
      toNumbers(ended.map(({ startedAt }) => startedAt)),
      toNumbers(ended.map(({ expiresAt }) => expiresAt)),
      toNumbers(ended.map(({ outcome }) => outcome)),
      toNumbers(ended.map(({ code }) => code)),
      toTexts(ended.map(({ error }) => error)),
      toTexts(ended.map(({ data }) => data)),
      now,
    );
  }
  if (starts.length > 0) {
    await db.run(
      ADD_STARTS_SQL,
      toNumbers(starts.map(({ queue }) => queue)),
      toTexts(starts.map(({ name }) => toQuoted(name))),
      toTexts(starts.map(({ key }) => key)),
      toNumbers(starts.map(({ until }) => until)),
      now,
    );
  }
  const moved = [...counts].filter(([, row]) => row.some((count) => count !== 0));
  if (moved.length > 0) {
    moved.sort(([a], [b]) => a - b);
    const lists = SHARDS.map((_, code) => toNumbers(moved.map(([, row]) => row[code] ?? 0)));
    await db.run(COUNT_SQL, toNumbers(moved.map(([queue]) => queue)), ...lists);
  }
  for (const one of [added, changed, counts]) one.clear();
  ended.length = 0;
  starts.length = 0;
}
