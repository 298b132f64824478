/** What a call that claims is and may: who asks, under which token, and what stands in its way. */
import type { Claim, Queue } from '../../core/store/index.ts';
import { toByteas } from './array-literal.ts';
import type { Statements } from './database.ts';
import { lockNodeLimit, lockToken, shareNode } from './locks.ts';
import type { QueueEntry } from './queue-entry.ts';
import { TASK_COLUMNS, type TaskRow, toClaim } from './rows.ts';
import { adopt } from './task-rows.ts';
import { toQuoted } from './values.ts';
import { entryOf, type Work } from './work.ts';

/** A node as claims see it. */
export interface Claimer {
  readonly row: number;
  readonly name: string;
  readonly wish: string;
  readonly maxRunning: number | null;
}

const CLAIMER_SQL = `select wish, max_running as "maxRunning" from nodes where row = $1`;

/** Until the end of the transaction, what operators set for the node stays, and its limit holds. */
export async function lockClaimer(db: Statements, row: number, name: string): Promise<Claimer> {
  await shareNode(db, row);
  const read = () => db.get<Pick<Claimer, 'wish' | 'maxRunning'>>(CLAIMER_SQL, row);
  const { wish = 'work', maxRunning = null } = (await read()) ?? {};
  if (maxRunning !== null) await lockNodeLimit(db, row);
  return { row, name, wish, maxRunning };
}

export function allowsNode(queue: Queue, { name, wish }: Claimer): boolean {
  const isNamed = queue.nodesOnly === null || queue.nodesOnly.includes(name);
  return isNamed && !queue.nodesNot.includes(name) && wish === 'work';
}

/** Whether claims from the queue must wait for each other. */
export function isLimited({ maxRunning, maxRunningPerNode, limits }: Queue): boolean {
  return maxRunning !== null || maxRunningPerNode !== null || limits.length > 0;
}

const LIVES_SQL =
  'select coalesce(sum(s3 + s4), 0)::int8 as count from task_counts where queue = $1';
const LIVES_ON_NODE_SQL = `
  select count(*) as count from tasks where node = $1 and queue = $2 and state in (3, 4)`;
const NODE_LIVES_SQL = 'select count(*) as count from tasks where node = $1 and state in (3, 4)';

/** How many more the limits of queue, queue × node and node leave. */
export async function readRoom(
  db: Statements,
  { row, queue }: QueueEntry,
  claimer: Claimer,
): Promise<number> {
  const count = async (sql: string, ...values: number[]): Promise<number> =>
    (await db.get<{ count: number }>(sql, ...values))?.count ?? 0;
  let room = Number.POSITIVE_INFINITY;
  if (queue.maxRunning !== null) room = queue.maxRunning - (await count(LIVES_SQL, row));
  if (queue.maxRunningPerNode !== null) {
    const lives = await count(LIVES_ON_NODE_SQL, claimer.row, row);
    room = Math.min(room, queue.maxRunningPerNode - lives);
  }
  if (claimer.maxRunning !== null) {
    room = Math.min(room, claimer.maxRunning - (await count(NODE_LIVES_SQL, claimer.row)));
  }
  return room;
}

const FIND_CALL_SQL = `
  select number, array_to_json(array(select encode(one, 'hex') from unnest(tasks) one)) as ids
  from claims where node = $1 and token = $2 and until > $3`;
const HELD_SQL = `
  select t.* from unnest($1::bytea[]) e(id) cross join lateral (
    select ${TASK_COLUMNS} from tasks t
    where t.id = e.id and t.claim = $2 and t.state + 0 in (3, 4) limit 1) t`;
const KEEP_CALL_SQL = `
  insert into claims (node, token, number, until, tasks) values ($1, $2, $3, $4, $5::bytea[])
  on conflict (node, token) do update set number = excluded.number, until = excluded.until,
    tasks = excluded.tasks`;

/** What a call with this token took and still holds, in the order taken; null when it is not known. */
export async function findRepeated(
  work: Work,
  node: number,
  token: string | null,
): Promise<Claim[] | null> {
  if (token === null) return null;
  const { db, now } = work;
  await lockToken(db, node, toQuoted(token));
  const call = await db.get<{ number: number; ids: string[] }>(
    FIND_CALL_SQL,
    node,
    toQuoted(token),
    now,
  );
  if (!call) return null;
  const held = await adopt(work, await db.all<TaskRow>(HELD_SQL, toByteas(call.ids), call.number));
  return held.map((task) => toClaim(task, entryOf(work, task).queue));
}

/** A number for a call, never used before: tasks keep that of theirs. */
export async function numberCall(db: Statements, token: string | null): Promise<number | null> {
  if (token === null) return null;
  const next = await db.get<{ number: number }>("select nextval('claim_numbers') as number");
  return next?.number ?? null;
}

export interface Taken {
  readonly node: number;
  readonly token: string | null;
  readonly claim: number | null;
  readonly claims: readonly Claim[];
}

/** Remembers the call until the last lease it gave would have ended. */
export async function rememberCall(
  db: Statements,
  { node, token, claim, claims }: Taken,
): Promise<void> {
  if (token === null || claim === null || claims.length === 0) return;
  const until = Math.max(...claims.map(({ expiresAt }) => expiresAt.getTime()));
  const ids = toByteas(claims.map(({ taskId }) => taskId));
  await db.run(KEEP_CALL_SQL, node, toQuoted(token), claim, until, ids);
}
