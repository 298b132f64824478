/** Starts and renewals of attempts, many in one statement. */
import type { AttemptRef, HoldAnswer, RenewItem, Step } from '../../core/store/index.ts';
import { toByteas, toFlags, toNumbers, toTexts } from './array-literal.ts';
import { msOf, type Steps } from './steps.ts';
import { isIdHex } from './task-rows.ts';
import { toDate, toText } from './values.ts';

interface HeldRow {
  readonly id: string;
  readonly fence: number;
  readonly cancelRequestedAt: number | null;
  readonly expiresAt: number | null;
}

const HELD = `
  from said cross join lateral (
    select t.ctid as place, t.queue, t.state, t.fence, t.expires_at, t.cancel_requested_at
    from tasks t
    where t.id = said.id and t.fence = coalesce(said.said_fence, t.fence) and t.state + 0 in (3, 4)
      and (select q.namespace from queues q where q.row = t.queue and q.fate < 2) = $3
    limit 1 for update) t`;

export const RENEW_PLAIN_SQL = `
  with said as materialized (
    select u.*, moment.now
    from unnest($1::bytea[], $2::int4[], $5::int8[], $6::bool[], $7::text[])
      u(id, said_fence, lease, has_data, data),
      (select coalesce($4::int8, now_ms()) as now offset 0) moment),
  held as materialized (
    select said.*, t.place, t.fence, t.cancel_requested_at,
      case when t.expires_at is null then null else said.now + said.lease end as until ${HELD}),
  saved as (
    update tasks t set expires_at = e.until
    from held e where t.ctid = e.place and e.has_data is not true and e.until is not null),
  reported as (
    update tasks t set expires_at = e.until, result = e.data, updated_at = e.now
    from held e where t.ctid = e.place and e.has_data)
  select id, fence, cancel_requested_at as "cancelRequestedAt", until as "expiresAt" from held`;

/** null: an item is one task's second, or ends its lease. */
export async function renewPlain(
  { database }: Steps,
  namespace: string,
  items: readonly RenewItem[],
  step: Step,
): Promise<HoldAnswer[] | null> {
  if (!areSingle(items) || items.some(({ leaseMs }) => leaseMs <= 0)) return null;
  const known = inOrder(items);
  const hasData = known.some(({ data }) => data !== undefined);
  const rows = await database.step<HeldRow>(
    RENEW_PLAIN_SQL,
    [
      ...toRefs(known),
      namespace,
      msOf(step),
      toNumbers(known.map(({ leaseMs }) => leaseMs)),
      hasData ? toFlags(known.map(({ data }) => data !== undefined)) : '{}',
      hasData ? toTexts(known.map(({ data }) => toText(data))) : '{}',
    ],
    true,
  );
  return toAnswers(items, rows);
}

export const START_PLAIN_SQL = `
  with said as materialized (
    select u.*, moment.now from unnest($1::bytea[], $2::int4[]) u(id, said_fence),
      (select coalesce($4::int8, now_ms()) as now offset 0) moment),
  held as materialized (
    select said.*, t.place, t.queue, t.state, t.fence, t.expires_at, t.cancel_requested_at ${HELD}),
  begun as materialized (select * from held where state = 3 and cancel_requested_at is null),
  saved as (
    update tasks t set state = 4, started_at = e.now, updated_at = e.now
    from begun e where t.ctid = e.place),
  counted as (
    insert into task_counts as c (queue, shard, s3, s4)
    select queue, own_shard(), -count(*), count(*) from begun group by queue order by queue
    on conflict (queue, shard) do update set s3 = c.s3 + excluded.s3, s4 = c.s4 + excluded.s4)
  select id, fence, cancel_requested_at as "cancelRequestedAt", expires_at as "expiresAt" from held`;

/** null: an item is one task's second. */
export async function startPlain(
  { database }: Steps,
  namespace: string,
  items: readonly AttemptRef[],
  step: Step,
): Promise<HoldAnswer[] | null> {
  if (!areSingle(items)) return null;
  const values = [...toRefs(inOrder(items)), namespace, msOf(step)];
  return toAnswers(items, await database.step<HeldRow>(START_PLAIN_SQL, values, true));
}

function areSingle(items: readonly AttemptRef[]): boolean {
  return items.length > 0 && new Set(items.map(({ taskId }) => taskId)).size === items.length;
}

/** By id, so that two calls never wait for each other. */
function inOrder<Item extends AttemptRef>(items: readonly Item[]): Item[] {
  const known = items.filter(({ taskId }) => isIdHex(taskId));
  return known.sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
}

function toRefs(items: readonly AttemptRef[]): string[] {
  return [toByteas(items.map(({ taskId }) => taskId)), toNumbers(items.map(({ fence }) => fence))];
}

function toAnswers(items: readonly AttemptRef[], rows: readonly HeldRow[]): HoldAnswer[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.map(({ taskId, fence }) => {
    const row = byId.get(taskId);
    if (!row) return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
    const status = row.cancelRequestedAt === null ? 'held' : 'cancelled';
    return { taskId, fence: row.fence, status, expiresAt: toDate(row.expiresAt) };
  });
}
