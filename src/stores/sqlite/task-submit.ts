import type {
  NewTask,
  OnConflict,
  Submission,
  SubmitAnswer,
  Submitted,
} from '../../core/store/index.ts';
import { waitingPlace } from '../../core/store/index.ts';
import {
  DELAYED,
  FIRST_FINAL_CODE,
  HELD,
  isWaitingCode,
  QUEUED,
  toHoldCode,
  toStateCode,
} from './codes.ts';
import type { SqlValue } from './database.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { manyRows, runRows } from './many-rows.ts';
import type { QueueEntry } from './queue-cache.ts';
import { TASK_COLUMNS, type TaskRow, toIdBytes, toLabelsText } from './rows.ts';
import type { Session } from './session.ts';
import { replaceTask } from './task-replace.ts';
import { findTask, findTaskByKey, saveTask } from './task-rows.ts';
import { enqueue, noteDelay } from './transitions.ts';

export const INSERT_TASKS = manyRows(
  15,
  (rows) => `
  insert into tasks (id, queue, state, priority, not_before, hold, external, created_at, updated_at,
    rank, key, unique_key, limit_keys, labels, params) values ${rows}`,
);

// The lowest id among tasks with that unique key that wait, have not ended, or all.
const UNIQUE_SQL = {
  waiting: uniqueSql('t.ended_at is null and t.state <= 2'),
  unfinished: uniqueSql('t.ended_at is null'),
  forever: uniqueSql('true'),
};

function uniqueSql(scope: string): string {
  return `
  select ${TASK_COLUMNS} from tasks t
  where t.queue = ? and t.unique_key = ? and ${scope} order by t.id limit 1`;
}

export function submitTasks(
  session: Session,
  { queueId, tasks, onConflict }: Submission,
  now: number,
): SubmitAnswer {
  const entry = session.queues.findHere(queueId);
  if (!entry) return { status: 'missing-queue' };
  const meets = tasks.some(({ key, unique }) => key !== null || unique !== null);
  if (meets && onConflict === 'refuse') {
    const met = findFirstMet(session, entry, tasks, now);
    if (met) return { status: 'refused', ...met };
  }
  if (meets && onConflict !== 'refuse') {
    const submitted = tasks.map((task) => addOrMeet(session, entry, { task, onConflict }, now));
    return { status: 'submitted', tasks: submitted };
  }
  insertTasks(session, entry, tasks, now);
  return { status: 'submitted', tasks: tasks.map(({ id }) => ({ id, outcome: 'created' })) };
}

/** Adds tasks that meet no other. */
export function insertTasks(
  session: Session,
  entry: QueueEntry,
  tasks: readonly NewTask[],
  now: number,
): void {
  const { queues, changes } = session;
  const values: SqlValue[] = [];
  const added = new Map<number, number>();
  for (const task of tasks) {
    const { state, hold, notBefore } = placeOf(entry, task, now);
    values.push(
      toIdBytes(task.id),
      entry.row,
      state,
      task.priority,
      notBefore,
      hold,
      task.external ? 1 : 0,
      now,
      now,
      task.rank,
      task.key,
      task.unique?.key ?? null,
      toLimitKeys(entry, task.limitKeys),
      toLabelsText(task.labels),
      JSON.stringify(task.params) ?? 'null',
    );
    added.set(state, (added.get(state) ?? 0) + 1);
    if (state === DELAYED) noteDelay(session, entry, notBefore);
  }
  runRows(session.db, INSERT_TASKS, values);
  for (const [state, count] of added) queues.move(entry, null, state, count);
  if (added.has(QUEUED))
    changes.ready({ namespace: entry.queue.namespace, queueId: entry.queue.id });
  for (const task of tasks) if (task.external) runExternal(session, entry, task, now);
}

/** An external task that would be queued runs at once. */
function runExternal(session: Session, entry: QueueEntry, { id }: NewTask, now: number): void {
  const task = findTask(session, entry.queue.namespace, id);
  if (task?.state !== QUEUED) return;
  enqueue(session, task, now);
  saveTask(session.db, task);
}

export function addOrMeet(
  session: Session,
  entry: QueueEntry,
  { task, onConflict }: { readonly task: NewTask; readonly onConflict: OnConflict },
  now: number,
): Submitted {
  const sameKey = task.key && findTaskByKey(session, entry.row, task.key);
  const met = sameKey ?? findUnique(session, entry, task);
  if (!met) {
    insertTasks(session, entry, [task], now);
    return { id: task.id, outcome: 'created' };
  }
  if (onConflict !== 'replace' || (!sameKey && !isWaitingCode(met.state))) {
    return { id: met.id, outcome: 'skipped' };
  }
  replaceTask(session, entry, { met, task }, now);
  return { id: met.id, outcome: 'replaced' };
}

function findUnique({ db }: Session, entry: QueueEntry, { unique }: NewTask): TaskRow | null {
  if (!unique) return null;
  return db.get<TaskRow>(UNIQUE_SQL[unique.scope], entry.row, unique.key) ?? null;
}

interface Pending {
  readonly id: string;
  readonly state: number;
}

/** The first task that meets one that is there, or one before it in the call. */
function findFirstMet(
  session: Session,
  entry: QueueEntry,
  tasks: readonly NewTask[],
  now: number,
): { readonly index: number; readonly id: string } | null {
  const byKey = new Map<string, string>();
  const byUnique = new Map<string, Pending[]>();
  for (const [index, task] of tasks.entries()) {
    const { id, key, unique } = task;
    const keyText = key && Buffer.from(key).toString('hex');
    const met =
      (key && keyText && (byKey.get(keyText) ?? findTaskByKey(session, entry.row, key)?.id)) ||
      lowest(findUnique(session, entry, task)?.id, findPending(byUnique, task));
    if (met) return { index, id: met };
    if (keyText) byKey.set(keyText, id);
    if (!unique) continue;
    const { state } = placeOf(entry, task, now);
    const isRunning = task.external && state === QUEUED;
    const pending = { id, state: isRunning ? FIRST_FINAL_CODE - 1 : state };
    byUnique.set(unique.key, [...(byUnique.get(unique.key) ?? []), pending]);
  }
  return null;
}

function findPending(
  byUnique: ReadonlyMap<string, readonly Pending[]>,
  { unique }: NewTask,
): string | undefined {
  if (!unique) return undefined;
  const inScope = (byUnique.get(unique.key) ?? []).filter(
    ({ state }) => unique.scope !== 'waiting' || isWaitingCode(state),
  );
  return lowest(...inScope.map(({ id }) => id));
}

function lowest(...ids: readonly (string | undefined)[]): string | undefined {
  return ids.filter((id) => id !== undefined).toSorted()[0];
}

function placeOf(
  entry: QueueEntry,
  { hold, notBefore: given, delayMs }: NewTask,
  now: number,
): { readonly state: number; readonly hold: number | null; readonly notBefore: number | null } {
  const notBefore = delayMs === null ? (given?.getTime() ?? null) : now + delayMs;
  if (hold !== null) return { state: HELD, hold: toHoldCode(hold), notBefore };
  if (notBefore === null && entry.queue.admission === 'open') {
    return { state: QUEUED, hold: null, notBefore };
  }
  const due = notBefore === null ? null : new Date(notBefore);
  const place = waitingPlace(entry.queue, due, new Date(now));
  const reason = place.hold === null ? null : toHoldCode(place.hold);
  return { state: toStateCode(place.state), hold: reason, notBefore };
}
