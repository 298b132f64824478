/** What time brings about: leases that run out, and delayed tasks whose instant has come. */
import type { Step } from '../../core/store/index.ts';
import { toByteas } from './array-literal.ts';
import { DROP_STARTS_SQL } from './keyed-limits.ts';
import { lockDueWork } from './locks.ts';
import { TASK_COLUMNS, type TaskRow } from './rows.ts';
import { msOf, type Steps } from './steps.ts';
import { adopt, lockDefinitions } from './task-rows.ts';
import { letWait, lose } from './transitions.ts';
import { toDate } from './values.ts';
import type { Work } from './work.ts';

/** How much of it one step does before its own work. */
const MOST_PER_STEP = 1000;

export const IS_DUE = (now: string): string => `(
  exists (select 1 from tasks where state in (3, 4) and expires_at <= ${now}) or
  exists (select 1 from tasks where state = 1 and not_before <= ${now}))`;

export const CHECK_DUE_SQL = `
  select ${IS_DUE('moment.now')} as "isDue" from (
    select coalesce($1::int8, now_ms()) as now offset 0) moment`;

/** Brings the store up to now: what a step *as of now* does first. */
export async function rollDue(steps: Steps, step: Step): Promise<void> {
  const [check] = await steps.database.look<{ isDue: boolean }>(CHECK_DUE_SQL, msOf(step));
  if (check?.isDue) await rollSome(steps, step, MOST_PER_STEP);
}

export function rollSome(
  steps: Steps,
  step: Step,
  limit: number,
): Promise<{ expired: number; readied: number }> {
  const roll = async (work: Work) => {
    await lockDueWork(work.db);
    const expired = await expireLeases(work, limit);
    return { expired, readied: await readyDelayed(work, limit) };
  };
  return steps.take(step, roll, { isRepeatable: true });
}

export const EXPIRED_SQL = `
  select id from tasks where state in (3, 4) and expires_at <= $1 order by expires_at limit $2`;
// Those that somebody has just locked are being dealt with.
const LOCK_EXPIRED_SQL = lockSql('t.state + 0 in (3, 4) and t.expires_at <= $2');
export const DELAYED_SQL = `
  select t.id from tasks t
  where t.state = 1 and t.not_before <= $1
    and (select q.fate from queues q where q.row = t.queue) < 2
  order by t.not_before limit $2`;
const LOCK_DELAYED_SQL = lockSql('t.state + 0 = 1 and t.not_before <= $2');
// Delayed tasks of hidden queues are only waiting to be purged: held, they are due no more.
const SILENCE_SQL = `
  update tasks set state = 2, hold = 0 where ctid = any (array(
    select t.ctid from tasks t
    where t.state = 1 and t.not_before <= $1
      and (select q.fate from queues q where q.row = t.queue) = 2
    order by t.not_before limit $2 for update skip locked))`;

function lockSql(condition: string): string {
  return `
  select t.* from unnest($1::bytea[]) e(id) cross join lateral (
    select ${TASK_COLUMNS} from tasks t where t.id = e.id and ${condition}
    limit 1 for update skip locked) t`;
}

async function lockDue(work: Work, find: string, lock: string, limit: number): Promise<TaskRow[]> {
  const found = await work.db.all<{ id: string }>(find, work.now, limit);
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  await lockDefinitions(work, [], ids);
  return adopt(work, await work.db.all<TaskRow>(lock, toByteas(ids), work.now));
}

async function expireLeases(work: Work, limit: number): Promise<number> {
  const tasks = await lockDue(work, EXPIRED_SQL, LOCK_EXPIRED_SQL, limit);
  for (const task of tasks) lose(work, task);
  return tasks.length;
}

async function readyDelayed(work: Work, limit: number): Promise<number> {
  await work.db.run(SILENCE_SQL, work.now, limit);
  const tasks = await lockDue(work, DELAYED_SQL, LOCK_DELAYED_SQL, limit);
  for (const task of tasks) letWait(work, task);
  return tasks.length;
}

const DROP_CLAIMS_SQL = `
  delete from claims where ctid = any (array(
    select ctid from claims where until <= $1 order by until limit $2))`;

/** What the claims and limits of the past have left behind. */
export async function dropOld(work: Work, limit: number): Promise<void> {
  await work.db.run(DROP_CLAIMS_SQL, work.now, limit);
  await work.db.run(DROP_STARTS_SQL, work.now, limit);
}

const OWN = `exists (
  select 1 from queues q where q.row = t.queue and q.namespace = $1 and q.fate < 2 offset 0)`;
// Walks what is due in all namespaces, in order, to the first of its own.
export const NEXT_DUE_SQL = `
  select least(
    (select t.expires_at from tasks t
     where t.state in (3, 4) and t.expires_at > 0 and ${OWN} order by t.expires_at limit 1),
    (select t.not_before from tasks t
     where t.state = 1 and ${OWN} order by t.not_before limit 1)) as at`;

/** The earliest instant at which something is due in the namespace. */
export async function findNextDue(steps: Steps, namespace: string): Promise<Date | null> {
  const [next] = await steps.database.look<{ at: number | null }>(NEXT_DUE_SQL, namespace);
  return toDate(next?.at ?? null);
}
