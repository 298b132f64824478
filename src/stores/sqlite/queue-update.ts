import {
  type QueueChange,
  type QueueSettings,
  type QueueUpdate,
  rankOf,
} from '../../core/store/index.ts';
import { HELD_FOR_ADMISSION } from './codes.ts';
import { limitAnew } from './keyed-limits.ts';
import type { QueueEntry } from './queue-cache.ts';
import { CORE_COLUMNS, type TaskCore } from './rows.ts';
import type { Session } from './session.ts';
import { saveTask } from './task-rows.ts';
import { letWait } from './transitions.ts';

const UPDATE_SQL = `
  update queues set settings = ?, next_continuous_at = ?, revision = ?, updated_at = ? where row = ?`;

export function updateQueue(session: Session, change: QueueChange, now: number): QueueUpdate {
  const { db, queues, changes, fresh } = session;
  const entry = queues.findHere(change.id);
  if (!entry) return { status: 'missing' };
  const before = entry.queue;
  if (before.revision !== change.revision) {
    return { status: 'changed', revision: before.revision };
  }
  const settings = toSettingsText(change.settings);
  const { nextContinuousAt = before.nextContinuousAt } = change;
  entry.queue = {
    ...(JSON.parse(settings) as QueueSettings),
    id: before.id,
    namespace: before.namespace,
    name: before.name,
    nextContinuousAt,
    revision: before.revision + 1,
    createdAt: before.createdAt,
    updatedAt: new Date(now),
  };
  const { revision, order, admission, limits } = entry.queue;
  db.run(UPDATE_SQL, settings, nextContinuousAt?.getTime() ?? null, revision, now, entry.row);
  if (order !== before.order) rankAnew(session, entry);
  if (JSON.stringify(limits) !== JSON.stringify(before.limits)) {
    fresh.clear();
    limitAnew(db, entry);
  }
  if (admission === 'open') admitAll(session, entry, now);
  queues.changed(entry);
  changes.ready({ namespace: before.namespace, queueId: before.id });
  return { status: 'updated', queue: entry.queue };
}

const NOT_SETTINGS = [
  'id',
  'namespace',
  'name',
  'nextContinuousAt',
  'revision',
  'createdAt',
  'updatedAt',
];

/** Only settings, even of a whole queue. */
export function toSettingsText(from: QueueSettings): string {
  const settings = Object.entries(from).filter(([name]) => !NOT_SETTINGS.includes(name));
  return JSON.stringify(Object.fromEntries(settings));
}

const OPEN_SQL = `
  select row, lower(hex(id)), key from tasks
  where queue = ? and ended_at is null and id > ? order by id limit 1000`;

type Open = readonly [row: number, id: string, key: Uint8Array | null];

function rankAnew({ db }: Session, { row: queueRow, queue }: QueueEntry): void {
  for (let last: Uint8Array = new Uint8Array(0); ; ) {
    const open = db.tuples<Open>(OPEN_SQL, [queueRow, last]);
    for (const [row, id, key] of open) {
      db.run('update tasks set rank = ? where row = ?', rankOf(queue.order, id, key), row);
    }
    const end = open.at(-1);
    if (!end) return;
    last = Buffer.from(end[1], 'hex');
  }
}

const ADMITTABLE_SQL = `
  select ${CORE_COLUMNS} from tasks t
  where t.queue = ? and t.state = 2 and t.hold = ${HELD_FOR_ADMISSION} limit 1000`;

function admitAll(session: Session, entry: QueueEntry, now: number): void {
  for (;;) {
    const tasks = session.db.all<TaskCore>(ADMITTABLE_SQL, entry.row);
    if (tasks.length === 0) return;
    for (const task of tasks) {
      letWait(session, task, now);
      saveTask(session, task);
    }
  }
}
