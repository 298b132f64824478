import { type QueueChange, type QueueUpdate, rankOf } from '../../core/store/index.ts';
import { toByteas, toTexts } from './array-literal.ts';
import { HELD_FOR_ADMISSION } from './codes.ts';
import { toLimitKeys } from './keyed-limits.ts';
import { lockDefinitionAlone } from './locks.ts';
import {
  HERE,
  QUEUE_COLUMNS,
  type QueueEntry,
  type QueueRow,
  toEntry,
  toSettingsText,
} from './queue-entry.ts';
import { TASK_COLUMNS, type TaskRow } from './rows.ts';
import { adopt, withPlaces } from './task-rows.ts';
import { letWait } from './transitions.ts';
import { fromHex, toRankHex } from './values.ts';
import { placeOf, type Work } from './work.ts';
import { flush } from './work-flush.ts';

const ROW_SQL = 'select row from queues where id = $1';
const READ_SQL = `select ${QUEUE_COLUMNS} from queues q where q.row = $1`;
const UPDATE_SQL = `
  update queues q set settings = $2, next_continuous_at = $3, revision = q.revision + 1,
    updated_at = $4
  where q.row = $1 returning ${QUEUE_COLUMNS}`;

/** The queue, for this transaction alone to change; null when it is not there. */
export async function lockQueueAlone(work: Work, id: string): Promise<QueueEntry | null> {
  const place = await work.db.get<{ row: number }>(ROW_SQL, id);
  if (!place) return null;
  await lockDefinitionAlone(work.db, place.row);
  const row = await work.db.get<QueueRow>(READ_SQL, place.row);
  if (row?.fate !== HERE) return null;
  const entry = toEntry(row);
  work.queues.set(entry.row, entry);
  return entry;
}

export async function updateQueue(work: Work, change: QueueChange): Promise<QueueUpdate> {
  const entry = await lockQueueAlone(work, change.id);
  if (!entry) return { status: 'missing' };
  const before = entry.queue;
  if (before.revision !== change.revision) {
    return { status: 'changed', revision: before.revision };
  }
  const { nextContinuousAt = before.nextContinuousAt } = change;
  const row = await work.db.get<QueueRow>(
    UPDATE_SQL,
    entry.row,
    toSettingsText(change.settings),
    nextContinuousAt?.getTime() ?? null,
    work.now,
  );
  if (!row) return { status: 'missing' };
  const updated = toEntry(row);
  work.queues.set(updated.row, updated);
  const { order, admission, limits } = updated.queue;
  if (order !== before.order) await rankAnew(work, updated);
  const hasOtherLimits = JSON.stringify(limits) !== JSON.stringify(before.limits);
  if (hasOtherLimits && limits.length > 0) await limitAnew(work, updated);
  if (admission === 'open') await admitAll(work, updated);
  work.notes.note('ready', placeOf(updated));
  return { status: 'updated', queue: updated.queue };
}

type Open = Pick<TaskRow, 'id' | 'key' | 'params'>;

const OPEN_SQL = `
  select id, key, params from tasks
  where queue = $1 and ended_at is null and id > $2::bytea order by id limit 1000`;

/** In pieces, for nobody knows how many tasks wait. */
async function eachOpen(
  work: Work,
  { row }: QueueEntry,
  act: (tasks: readonly Open[]) => Promise<unknown>,
): Promise<void> {
  for (let last = ''; ; ) {
    const open = await work.db.all<Open>(OPEN_SQL, row, `\\x${last}`);
    const end = open.at(-1);
    if (!end) return;
    await act(open);
    last = end.id;
  }
}

const SET_RANKS_SQL = `
  update tasks t set rank = e.rank
  from ${withPlaces('unnest($1::bytea[], $2::bytea[]) e(id, rank)')} where t.ctid = e.place`;

function rankAnew(work: Work, entry: QueueEntry): Promise<void> {
  const rank = ({ id, key }: Open): string =>
    toRankHex(rankOf(entry.queue.order, id, key === null ? null : fromHex(key)));
  return eachOpen(work, entry, (open) =>
    work.db.run(SET_RANKS_SQL, toByteas(open.map(({ id }) => id)), toByteas(open.map(rank))),
  );
}

const SET_LIMIT_KEYS_SQL = `
  update tasks t set limit_keys = e.keys
  from ${withPlaces('unnest($1::bytea[], $2::text[]) e(id, keys)')} where t.ctid = e.place`;

/** Gives every task that has not ended its keys anew. */
function limitAnew(work: Work, entry: QueueEntry): Promise<void> {
  const keys = ({ params }: Open): string => toLimitKeys(entry.queue.limits, JSON.parse(params));
  return eachOpen(work, entry, (open) =>
    work.db.run(SET_LIMIT_KEYS_SQL, toByteas(open.map(({ id }) => id)), toTexts(open.map(keys))),
  );
}

const ADMITTABLE_SQL = `
  select ${TASK_COLUMNS} from tasks t
  where t.queue = $1 and t.state = 2 and t.hold = ${HELD_FOR_ADMISSION}
  order by t.priority desc, t.rank, t.id limit 1000 for update`;

async function admitAll(work: Work, { row }: QueueEntry): Promise<void> {
  for (;;) {
    const tasks = await adopt(work, await work.db.all<TaskRow>(ADMITTABLE_SQL, row));
    if (tasks.length === 0) return;
    for (const task of tasks) letWait(work, task);
    await flush(work);
    work.tasks.clear();
  }
}
