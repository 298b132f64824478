import type { AdmissionStep } from '../../core/store/index.ts';
import { HELD_FOR_ADMISSION } from './codes.ts';
import { isLeaseHeld } from './lease-store.ts';
import { lockLimits } from './locks.ts';
import { HERE } from './queue-entry.ts';
import { TASK_COLUMNS, type TaskRow } from './rows.ts';
import { adopt, lockQueues } from './task-rows.ts';
import { enqueue } from './transitions.ts';
import type { Work } from './work.ts';

const TAKEN_SQL = `
  select coalesce(sum(s0 + s3 + s4), 0)::int8 as count from task_counts where queue = $1`;
export const NEXT_ADMITTED_SQL = `
  select ${TASK_COLUMNS} from tasks t
  where t.queue = $1 and t.state = 2 and t.hold = ${HELD_FOR_ADMISSION}
  order by t.priority desc, t.rank, t.id limit $2 for update skip locked`;

export async function admitTasks(
  work: Work,
  { queueId, limit, lease }: AdmissionStep,
): Promise<{ admitted: number } | 'lease-lost' | 'missing'> {
  const { db, now } = work;
  const entry = (await lockQueues(work, [queueId])).get(queueId);
  if (entry?.fate !== HERE) return 'missing';
  await lockLimits(db, [entry.row]);
  if (lease && !(await isLeaseHeld(db, lease, now))) return 'lease-lost';
  const taken = await db.get<{ count: number }>(TAKEN_SQL, entry.row);
  const room = limit - (taken?.count ?? 0);
  if (room < 1) return { admitted: 0 };
  const tasks = await adopt(work, await db.all<TaskRow>(NEXT_ADMITTED_SQL, entry.row, room));
  for (const task of tasks) enqueue(work, task);
  return { admitted: tasks.length };
}
