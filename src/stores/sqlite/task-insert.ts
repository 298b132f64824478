import { type NewTask, waitingPlace } from '../../core/store/index.ts';
import { DELAYED, HELD, QUEUED, toHoldCode, toStateCode } from './codes.ts';
import type { SqlValue } from './database.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { manyRows, runRows } from './many-rows.ts';
import type { QueueEntry } from './queue-cache.ts';
import { toIdBytes, toLabelsText, toQuoted } from './rows.ts';
import type { Session } from './session.ts';
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
      task.unique && toQuoted(task.unique.key),
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

/** Where a new task waits; an external one that would be queued runs instead. */
export function placeOf(
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
