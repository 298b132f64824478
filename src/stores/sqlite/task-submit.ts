import type {
  NewTask,
  OnConflict,
  Submission,
  SubmitAnswer,
  Submitted,
} from '../../core/store/index.ts';
import { isWaitingCode } from './codes.ts';
import type { QueueEntry } from './queue-cache.ts';
import type { Session } from './session.ts';
import { findFirstMet, findUnique } from './task-conflict.ts';
import { insertTasks } from './task-insert.ts';
import { replaceTask } from './task-replace.ts';
import { findTaskByKey } from './task-rows.ts';

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

/** Adds one task, or does to the one it meets what the caller wished. */
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
