import type { AdmissionStep } from '../../core/store/index.ts';
import { HELD_FOR_ADMISSION, QUEUED } from './codes.ts';
import { isLeaseHeld } from './lease-store.ts';
import { liveCountOf } from './queue-cache.ts';
import { CORE_COLUMNS, type TaskCore } from './rows.ts';
import type { Session } from './session.ts';
import { saveTask } from './task-rows.ts';
import { enqueue } from './transitions.ts';

export const NEXT_ADMITTED_SQL = `
  select ${CORE_COLUMNS} from tasks t
  where t.queue = ? and t.state = 2 and t.hold = ${HELD_FOR_ADMISSION}
  order by t.priority desc, t.rank, t.id limit ?`;

export function admitTasks(
  session: Session,
  { queueId, limit, lease }: AdmissionStep,
  now: number,
): { admitted: number } | 'lease-lost' | 'missing' {
  const { db, queues } = session;
  const entry = queues.findHere(queueId);
  if (!entry) return 'missing';
  if (lease && !isLeaseHeld(db, lease, now)) return 'lease-lost';
  const room = limit - (entry.counts[QUEUED] ?? 0) - liveCountOf(entry);
  const tasks = room < 1 ? [] : db.all<TaskCore>(NEXT_ADMITTED_SQL, entry.row, room);
  for (const task of tasks) {
    enqueue(session, task, now);
    saveTask(session, task);
  }
  return { admitted: tasks.length };
}
