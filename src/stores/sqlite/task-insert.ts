import { type NewTask, waitingPlace } from '../../core/store/index.ts';
import { DELAYED, HELD, QUEUED, toHoldCode, toStateCode } from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { manyRows } from './many-rows.ts';
import { isPlain, PLAIN_TASKS, type PlainValues } from './plain-tasks.ts';
import type { QueueEntry } from './queue-cache.ts';
import { toIdBytes, toLabelsText, toQuoted } from './rows.ts';
import type { Session } from './session.ts';
import type { SqlValue } from './sql-value.ts';
import { findTask, saveTask } from './task-rows.ts';
import { enqueue, noteDelay } from './transitions.ts';

export const INSERT_TASKS = manyRows(
  15,
  (rows) => `
  insert into tasks (id, queue, state, priority, not_before, hold, external, created_at, updated_at,
    rank, key, unique_key, limit_keys, labels, params) values ${rows}`,
);

/** Adds tasks that meet no other. */
export function insertTasks(
  session: Session,
  entry: QueueEntry,
  tasks: readonly NewTask[],
  now: number,
): void {
  const { db, queues, changes } = session;
  const added = new Map<number, number>();
  for (const task of tasks) {
    const place = placeOf(entry, task, now);
    const params = JSON.stringify(task.params) ?? 'null';
    added.set(place.state, (added.get(place.state) ?? 0) + 1);
    if (place.state === DELAYED) noteDelay(session, entry, place.notBefore);
    if (place.state === QUEUED && place.notBefore === null && isPlain(entry, task, params)) {
      const { id, priority, rank } = task;
      const values: PlainValues = [entry.row, priority, now, id, rank, params];
      db.runLater(PLAIN_TASKS, values);
    } else db.runLater(INSERT_TASKS, toValues(entry, { task, place, params, now }));
  }
  for (const [state, count] of added) queues.move(entry, null, state, count);
  const { namespace, id: queueId } = entry.queue;
  if (added.has(QUEUED)) changes.ready({ namespace, queueId });
  for (const task of tasks) if (task.external) runExternal(session, entry, task, now);
}

interface Placed {
  readonly task: NewTask;
  readonly place: Place;
  readonly params: string;
  readonly now: number;
}

function toValues(entry: QueueEntry, { task, place, params, now }: Placed): SqlValue[] {
  return [
    toIdBytes(task.id),
    entry.row,
    place.state,
    task.priority,
    place.notBefore,
    place.hold,
    task.external ? 1 : 0,
    now,
    now,
    task.rank,
    task.key,
    task.unique && toQuoted(task.unique.key),
    toLimitKeys(entry, task.params),
    toLabelsText(task.labels),
    params,
  ];
}

/** An external task that would be queued runs at once. */
function runExternal(session: Session, entry: QueueEntry, { id }: NewTask, now: number): void {
  const task = findTask(session, entry.queue.namespace, id);
  if (task?.state !== QUEUED) return;
  enqueue(session, task, now);
  saveTask(session, task);
}

interface Place {
  readonly state: number;
  readonly hold: number | null;
  readonly notBefore: number | null;
}

/** Where a new task waits; an external one that would be queued runs instead. */
export function placeOf(
  entry: QueueEntry,
  { hold, notBefore: given, delayMs }: NewTask,
  now: number,
): Place {
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
