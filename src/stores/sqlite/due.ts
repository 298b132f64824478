/** What time brings about: leases that run out, and delayed tasks whose instant has come. */
import { dropOldStarts } from './keyed-limits.ts';
import { inOrder, type Source } from './ordered-merge.ts';
import { HIDDEN, type QueueEntry } from './queue-cache.ts';
import { CORE_COLUMNS, type TaskCore, toDate } from './rows.ts';
import type { Session } from './session.ts';
import { addAttempts, getTaskByRow, saveTask } from './task-rows.ts';
import { letWait, lose } from './transitions.ts';

/** How much of it one step does before its own work. */
const MOST_PER_STEP = 1000;

export const EXPIRED_SQL = `
  select ${CORE_COLUMNS} from tasks t
  where t.state in (3, 4) and t.expires_at <= ? order by t.expires_at limit ?`;
export const NEXT_LEASE_SQL = `
  select expires_at as at from tasks
  where state in (3, 4) and expires_at > 0 order by expires_at limit 1`;
export const DELAYED_SQL = `
  select not_before, row from tasks
  where queue = ? and state = 1 and not_before <= ? and (not_before, row) > (?, ?)
  order by not_before, row limit ?`;
export const NEXT_DELAY_SQL = `
  select not_before as at from tasks where queue = ? and state = 1 order by not_before limit 1`;

/** Finds out when something is due next, as after a start. */
export function loadDue(session: Session): void {
  loadLeases(session);
  for (const entry of readable(session)) entry.delaysFrom = nextDelayOf(session, entry);
  loadDelays(session);
}

function loadLeases({ db, due }: Session): void {
  due.leasesFrom = db.get<{ at: number }>(NEXT_LEASE_SQL)?.at ?? Number.POSITIVE_INFINITY;
}

function loadDelays(session: Session): void {
  session.due.delaysFrom = Math.min(
    Number.POSITIVE_INFINITY,
    ...readable(session).map(({ delaysFrom }) => delaysFrom),
  );
}

/** Costs nothing while nothing is due. */
export function rollDue(session: Session, now: number): void {
  expireLeases(session, now, MOST_PER_STEP);
  readyDelayed(session, now, MOST_PER_STEP);
}

export function isAnythingDue({ due }: Session, now: number): boolean {
  return now >= due.leasesFrom || now >= due.delaysFrom;
}

export function expireLeases(session: Session, now: number, limit: number): number {
  const { db, due } = session;
  if (now < due.leasesFrom) return 0;
  const tasks = db.all<TaskCore>(EXPIRED_SQL, now, limit);
  const ended = tasks.flatMap((task) => lose(session, task, now));
  addAttempts(db, ended, now);
  for (const task of tasks) saveTask(session, task);
  loadLeases(session);
  return tasks.length;
}

export function readyDelayed(session: Session, now: number, limit: number): number {
  if (now < session.due.delaysFrom) return 0;
  const entries = readable(session).filter(({ delaysFrom }) => delaysFrom <= now);
  const sources = entries.map((entry) => delayedOf(session, entry, now));
  let readied = 0;
  for (const [, row] of inOrder(sources, ([a], [b]) => a - b)) {
    const task = getTaskByRow(session, row);
    letWait(session, task, now);
    saveTask(session, task);
    readied += 1;
    if (readied === limit) break;
  }
  for (const entry of entries) entry.delaysFrom = nextDelayOf(session, entry);
  loadDelays(session);
  return readied;
}

type Delayed = readonly [notBefore: number, row: number];

function* delayedOf({ db }: Session, entry: QueueEntry, now: number): Source<Delayed> {
  let last: Delayed = [0, 0];
  for (;;) {
    const some = db.tuples<Delayed>(DELAYED_SQL, [entry.row, now, ...last, 100]);
    yield some;
    const end = some.at(-1);
    if (!end) return;
    last = end;
  }
}

function nextDelayOf({ db }: Session, { row, counts }: QueueEntry): number {
  if (counts[1] === 0) return Number.POSITIVE_INFINITY;
  return db.get<{ at: number }>(NEXT_DELAY_SQL, row)?.at ?? Number.POSITIVE_INFINITY;
}

/** What the claims and limits of the past have left behind. */
export function dropOld({ db }: Session, now: number, limit: number): void {
  db.run(
    'delete from claims where row in (select row from claims where until <= ? order by until limit ?)',
    now,
    limit,
  );
  dropOldStarts(db, now, limit);
}

/** The earliest instant at which something is due in the namespace. */
export function nextDueIn(session: Session, namespace: string): Date | null {
  const delays = readable(session)
    .filter(({ queue }) => queue.namespace === namespace)
    .map((entry) => nextDelayOf(session, entry));
  const next = Math.min(nextLeaseIn(session, namespace), ...delays);
  return toDate(next === Number.POSITIVE_INFINITY ? null : next);
}

// Walks the leases of all namespaces, in order of their end, to the first of its own.
export const NEXT_LEASE_IN_SQL = `
  select t.expires_at as at from tasks t
  where t.state in (3, 4) and t.expires_at > 0
    and (select n.namespace from nodes n where n.row = t.node) = ?
  order by t.expires_at limit 1`;

function nextLeaseIn({ db, nodes }: Session, namespace: string): number {
  if (!nodes.hasLives(namespace)) return Number.POSITIVE_INFINITY;
  return db.get<{ at: number }>(NEXT_LEASE_IN_SQL, namespace)?.at ?? Number.POSITIVE_INFINITY;
}

function readable({ queues }: Session): QueueEntry[] {
  return [...queues.listAll()].filter(({ fate }) => fate !== HIDDEN);
}
