import type { NewTask } from '../../core/store/index.ts';
import { isFinalCode, isLiveCode, toHoldCode } from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import type { QueueEntry } from './queue-cache.ts';
import { type TaskRow, toLabelsText, toQuoted } from './rows.ts';
import type { Session } from './session.ts';
import { saveTask } from './task-rows.ts';
import { hold, letWait, waitAnew } from './transitions.ts';

const SAVE_CONTENT_SQL = 'update tasks set params = ?, priority = ?, labels = ? where row = ?';
const SAVE_PLACE_SQL = 'update tasks set external = ?, rank = ?, unique_key = ? where row = ?';

/** Gives a task the content of a new one; a finished one waits again, as new. */
export function replaceTask(
  session: Session,
  entry: QueueEntry,
  { met, task }: { readonly met: TaskRow; readonly task: NewTask },
  now: number,
): void {
  const { db, queues } = session;
  const params = JSON.stringify(task.params) ?? 'null';
  db.run(SAVE_CONTENT_SQL, params, task.priority, toLabelsText(task.labels), met.row);
  met.result = null;
  met.notBefore = task.delayMs === null ? (task.notBefore?.getTime() ?? null) : now + task.delayMs;
  met.updatedAt = now;
  if (!isLiveCode(met.state)) {
    met.limitKeys = toLimitKeys(entry, task.params);
    queues.changed(entry);
  }
  if (isFinalCode(met.state)) waitAsNew(session, met, task, now);
  else waitAnew(session, met, now);
  saveTask(session, met);
}

function waitAsNew(session: Session, met: TaskRow, task: NewTask, now: number): void {
  met.external = task.external ? 1 : 0;
  session.db.run(
    SAVE_PLACE_SQL,
    met.external,
    task.rank,
    task.unique && toQuoted(task.unique.key),
    met.row,
  );
  Object.assign(met, { error: null, code: null, cancelRequestedAt: null, fence: met.fence + 1 });
  Object.assign(met, { claimCount: 0, tryCount: 0, lossCount: 0, roundCount: 0 });
  if (task.hold === null) letWait(session, met, now);
  else hold(session, met, toHoldCode(task.hold), now);
}
