import type { QueueDeleted, QueueDeletion } from '../../core/store/index.ts';
import { dropLimited } from './keyed-limits.ts';
import { HIDDEN, KEPT, type QueueEntry, taskCountOf } from './queue-cache.ts';
import type { Session } from './session.ts';
import { deleteTaskRow } from './task-rows.ts';

export function deleteQueue(session: Session, { id, tasks }: QueueDeletion): QueueDeleted {
  const entry = session.queues.findHere(id);
  if (!entry) return { status: 'missing' };
  const count = taskCountOf(entry);
  if (tasks === 'refuse' && count > 0) return { status: 'refused', tasks: count };
  if (tasks === 'keep') setFate(session, entry, KEPT);
  else hideQueue(session, entry);
  return { status: 'deleted', tasks: count };
}

// Hidden tasks have no lease that could run out, and belong to no claim that could be repeated.
const UNLEASE_SQL = `
  update tasks set expires_at = null, claim = null
  where row in (
    select row from tasks indexed by tasks_lease_idx where state in (3, 4) and queue = ?)`;

/** Takes the queue with its tasks out of sight; their rows go with `purgeHidden`. */
export function hideQueue(session: Session, entry: QueueEntry): void {
  session.db.run(UNLEASE_SQL, entry.row);
  session.fresh.clear();
  session.nodes.forgetQueue(entry.row);
  setFate(session, entry, HIDDEN);
}

function setFate({ db, queues }: Session, entry: QueueEntry, fate: number): void {
  queues.setFate(entry, fate);
  db.run('update queues set fate = ? where row = ?', fate, entry.row);
}

const HIDDEN_OPEN_SQL = 'select row from tasks where queue = ? and ended_at is null limit ?';
const HIDDEN_ENDED_SQL = 'select row from tasks where queue = ? and ended_at is not null limit ?';

export function purgeHidden(session: Session, limit: number): number {
  const { db, queues } = session;
  let purged = 0;
  for (const entry of queues.listHidden()) {
    for (const sql of [HIDDEN_OPEN_SQL, HIDDEN_ENDED_SQL]) {
      const rows = db.tuples<[number]>(sql, [entry.row, limit - purged]);
      for (const [row] of rows) deleteTaskRow(db, row);
      purged += rows.length;
    }
    if (purged >= limit) return purged;
    dropLimited(db, entry.row);
    db.run('delete from queues where row = ?', entry.row);
    queues.remove(entry);
  }
  return purged;
}
