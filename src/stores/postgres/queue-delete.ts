import type { QueueDeleted, QueueDeletion } from '../../core/store/index.ts';
import { HIDDEN, KEPT } from './queue-entry.ts';
import { lockQueueAlone } from './queue-update.ts';
import { deleteRows } from './task-rows.ts';
import { placeOf, type Work } from './work.ts';

const TASK_COUNT_SQL = `
  select coalesce(sum(s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9), 0)::int8 as count
  from task_counts where queue = $1`;
const SET_FATE_SQL = 'update queues set fate = $2 where row = $1';

export async function deleteQueue(work: Work, { id, tasks }: QueueDeletion): Promise<QueueDeleted> {
  const entry = await lockQueueAlone(work, id);
  if (!entry) return { status: 'missing' };
  const found = await work.db.get<{ count: number }>(TASK_COUNT_SQL, entry.row);
  const count = found?.count ?? 0;
  if (tasks === 'refuse' && count > 0) return { status: 'refused', tasks: count };
  if (tasks === 'keep') await work.db.run(SET_FATE_SQL, entry.row, KEPT);
  else await hideQueue(work, entry.row);
  work.notes.note('ended', placeOf(entry));
  return { status: 'deleted', tasks: count };
}

// Hidden tasks have no lease that could run out, no node, and no claim that could be repeated.
const UNLEASE_SQL = `
  update tasks set expires_at = null, claim = null, node = null
  where queue = $1 and state in (3, 4)`;

/** Takes the queue with its tasks out of sight; their rows go with `purgeHidden`. */
export async function hideQueue({ db }: Work, row: number): Promise<void> {
  await db.run(UNLEASE_SQL, row);
  await db.run(SET_FATE_SQL, row, HIDDEN);
}

const HIDDEN_SQL = 'select row from queues where fate = 2 order by row for update skip locked';
const HIDDEN_OPEN_SQL = `
  select id from tasks where queue = $1 and ended_at is null order by id limit $2`;
const HIDDEN_ENDED_SQL = `
  select id from tasks where queue = $1 and ended_at is not null and state = any('{5,6,7,8,9}')
  limit $2`;

export async function purgeHidden(work: Work, limit: number): Promise<number> {
  const { db } = work;
  let purged = 0;
  for (const { row } of await db.all<{ row: number }>(HIDDEN_SQL)) {
    for (const sql of [HIDDEN_OPEN_SQL, HIDDEN_ENDED_SQL]) {
      const found = await db.all<{ id: string }>(sql, row, limit - purged);
      if (found.length === 0) continue;
      await deleteRows(
        work,
        found.map(({ id }) => id),
      );
      purged += found.length;
    }
    if (purged >= limit) return purged;
    for (const table of ['task_counts', 'limit_starts']) {
      await db.run(`delete from ${table} where queue = $1`, row);
    }
    await db.run('delete from queues where row = $1', row);
  }
  return purged;
}
