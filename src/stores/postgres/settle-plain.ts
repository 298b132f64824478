/** The usual end of attempts, many in one statement: the task is over, and nothing follows from it. */
import type { SettleAnswer, Settlement, Step } from '../../core/store/index.ts';
import { toByteas, toFlags, toNumbers, toTexts } from './array-literal.ts';
import { toOutcomeCode, toStateCode } from './codes.ts';
import { codeOf } from './postgres-error.ts';
import { msOf, type Steps } from './steps.ts';
import { isIdHex } from './task-rows.ts';
import { toQuoted, toText } from './values.ts';

// One probe by id per task, whatever the planner thinks of the sizes: a lateral with a limit is
// never turned round. `state + 0` keeps it off the indexes of live tasks. A row that somebody
// changes meanwhile has another place then, so it is missing among the saved: all or none is done.
export const SETTLE_PLAIN_SQL = `
  with said as materialized (
    select u.*, moment.now from unnest($1::bytea[], $2::int4[], $3::int2[], $4::int2[], $5::int4[],
      $6::bool[], $7::text[], $8::text[], $9::int8[])
      u(id, said_fence, to_state, outcome, tries, has_data, data, error, code),
      (select coalesce($10::int8, now_ms()) as now offset 0) moment),
  ended as materialized (
    select said.*, t.*, case when has_data then data else result end as final_data
    from said cross join lateral (
      select t.ctid as place, t.queue, t.state, t.node, t.claimed_at, t.started_at, t.expires_at,
        t.result
      from tasks t
      where t.id = said.id and t.fence = said.said_fence and t.state + 0 in (3, 4)
        and (select q.namespace from queues q where q.row = t.queue and q.fate < 2) = $11
      limit 1) t),
  saved as (
    update tasks t set state = e.to_state, try_count = t.try_count + e.tries, node = null,
      claim = null, claimed_at = null, started_at = null, expires_at = null, hold = null,
      result = e.final_data, error = e.error, code = e.code, last_outcome = e.outcome,
      updated_at = e.now, ended_at = e.now
    from ended e where t.ctid = e.place
    returning 1),
  kept as (
    insert into attempts (task, fence, node, claimed_at, started_at, expires_at, ended_at, outcome,
      code, error, data)
    select id, said_fence, node, claimed_at, started_at, expires_at, now, outcome, code, error,
      final_data
    from ended),
  moved as materialized (
    select queue, state, to_state, count(*) as count from ended group by queue, state, to_state),
  counted as (
    insert into task_counts as c (queue, shard, s3, s4, s5, s6, s7, s8, s9)
    select queue, own_shard(), -coalesce(sum(count) filter (where state = 3), 0),
      -coalesce(sum(count) filter (where state = 4), 0),
      coalesce(sum(count) filter (where to_state = 5), 0),
      coalesce(sum(count) filter (where to_state = 6), 0),
      coalesce(sum(count) filter (where to_state = 7), 0),
      coalesce(sum(count) filter (where to_state = 8), 0),
      coalesce(sum(count) filter (where to_state = 9), 0)
    from moved where (select count(*) from saved) = $12::int8 group by queue order by queue
    on conflict (queue, shard) do update set s3 = c.s3 + excluded.s3, s4 = c.s4 + excluded.s4,
      s5 = c.s5 + excluded.s5, s6 = c.s6 + excluded.s6, s7 = c.s7 + excluded.s7,
      s8 = c.s8 + excluded.s8, s9 = c.s9 + excluded.s9)
  select distinct queue from moved where must_hold((select count(*) from saved) = $12::int8)`;

/** What must_hold raises. */
const NOT_HELD = 'BY001';

/** These change a counter besides that of tries, or lead back. */
const UNUSUAL_OUTCOMES: readonly string[] = ['orphaned', 'continued', 'released'];

function isPlain({ fence, outcome, next, emit, again, taskId }: Settlement): boolean {
  return (
    fence !== null &&
    next.state !== 'queued' &&
    next.state !== 'held' &&
    !UNUSUAL_OUTCOMES.includes(outcome) &&
    emit.length === 0 &&
    again === null &&
    isIdHex(taskId)
  );
}

/** null: something in it is not usual, or not held; nothing was done. */
export async function settlePlain(
  { database, queues, changes }: Steps,
  namespace: string,
  items: readonly Settlement[],
  step: Step,
): Promise<SettleAnswer[] | null> {
  const isUsual =
    items.every(isPlain) && new Set(items.map(({ taskId }) => taskId)).size === items.length;
  if (!isUsual || items.length === 0) return null;
  const inOrder = items.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1));
  const values = [...toColumns(inOrder), msOf(step), namespace, items.length];
  const rows = await database
    .step<{ queue: number }>(SETTLE_PLAIN_SQL, values, true)
    .catch((error: unknown) => {
      if (codeOf(error) === NOT_HELD) return [];
      throw error;
    });
  if (rows.length === 0) return null;
  changes.raise(
    rows.flatMap(({ queue: row }) => {
      const queue = queues.findByRow(row)?.queue;
      if (!queue) return [];
      const place = { namespace, queueId: queue.id };
      return [
        { kind: 'ready' as const, ...place },
        { kind: 'ended' as const, ...place },
      ];
    }),
  );
  return items.map(({ taskId, fence, next }) => ({
    taskId,
    fence: fence ?? 0,
    status: 'applied',
    state: next.state,
  }));
}

/** What no item says is an empty list, which `unnest` fills up. */
function toColumns(items: readonly Settlement[]): string[] {
  const hasData = items.some(({ data }) => data !== undefined);
  const hasError = items.some(({ error }) => error !== null);
  const hasCode = items.some(({ code }) => code !== null);
  return [
    toByteas(items.map(({ taskId }) => taskId)),
    toNumbers(items.map(({ fence }) => fence)),
    toNumbers(items.map(({ next }) => toStateCode(next.state))),
    toNumbers(items.map(({ outcome }) => toOutcomeCode(outcome))),
    toNumbers(items.map(({ counted }) => (counted ? 1 : 0))),
    hasData ? toFlags(items.map(({ data }) => data !== undefined)) : '{}',
    hasData ? toTexts(items.map(({ data }) => toText(data))) : '{}',
    hasError ? toTexts(items.map(({ error }) => (error === null ? null : toQuoted(error)))) : '{}',
    hasCode ? toNumbers(items.map(({ code }) => code)) : '{}',
  ];
}
