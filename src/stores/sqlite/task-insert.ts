import { type NewTask, waitingPlace } from '../../core/store/index.ts';
import { DELAYED, HELD, QUEUED, toHoldCode, toStateCode } from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { manyRows, runRows } from './many-rows.ts';
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

/** So that a large submission needs no large memory. */
const WRITTEN_AT_ONCE = 320;
/** Fewer wait for those of other callers, and go with them. */
const WRITTEN_LATER = 32;

/** Adds tasks that meet no other. */
export function insertTasks(
  session: Session,
  entry: QueueEntry,
  tasks: readonly NewTask[],
  now: number,
): void {
  const { db, queues, changes } = session;
  const added = new Map<number, number>();
  for (let from = 0; from < tasks.length; from += WRITTEN_AT_ONCE) {
    const values: SqlValue[] = [];
    for (const task of tasks.slice(from, from + WRITTEN_AT_ONCE)) {
      const place = placeOf(entry, task, now);
      added.set(place.state, (added.get(place.state) ?? 0) + 1);
      if (place.state === DELAYED) noteDelay(session, entry, place.notBefore);
      pushValues(values, entry, { task, place, now });
    }
    if (tasks.length < WRITTEN_LATER) db.runLater(INSERT_TASKS, values);
    else runRows(db, INSERT_TASKS, values);
  }
  for (const [state, count] of added) queues.move(entry, null, state, count);
  const { namespace, id: queueId } = entry.queue;
  if (added.has(QUEUED)) changes.ready({ namespace, queueId });
  for (const task of tasks) if (task.external) runExternal(session, entry, task, now);
}

interface Placed {
  readonly task: NewTask;
  readonly place: Place;
  readonly now: number;
}

function pushValues(values: SqlValue[], entry: QueueEntry, { task, place, now }: Placed): void {
  values.push(
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
    JSON.stringify(task.params) ?? 'null',
  );
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
