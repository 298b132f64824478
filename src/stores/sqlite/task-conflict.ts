/** Which task a new one meets: that of the same key, else one that its `unique` looks at. */
import type { NewTask } from '../../core/store/index.ts';
import { isWaitingCode, QUEUED, RUNNING } from './codes.ts';
import { manyRows, readRows } from './many-rows.ts';
import type { QueueEntry } from './queue-cache.ts';
import { TASK_COLUMNS, type TaskRow, toQuoted } from './rows.ts';
import type { Session } from './session.ts';
import { toHex } from './task-filter.ts';
import { placeOf } from './task-insert.ts';

// The lowest id among tasks with that unique key that wait, have not ended, or all.
export const UNIQUE_SQL = {
  waiting: uniqueSql('t.ended_at is null and t.state <= 2'),
  unfinished: uniqueSql('t.ended_at is null'),
  forever: uniqueSql('true'),
};

function uniqueSql(scope: string): string {
  return `
  select ${TASK_COLUMNS} from tasks t
  where t.queue = ? and t.unique_key = ? and ${scope} order by t.id limit 1`;
}

export function findUnique(
  { db }: Session,
  entry: QueueEntry,
  { unique }: NewTask,
): TaskRow | null {
  if (!unique) return null;
  return db.get<TaskRow>(UNIQUE_SQL[unique.scope], entry.row, toQuoted(unique.key)) ?? null;
}

export const SAME_KEYS = manyRows(
  2,
  (rows) => `
  select lower(hex(t.key)), lower(hex(t.id)) from (values ${rows}) e
  cross join tasks t on t.queue = e.column1 and t.key = e.column2 where t.key is not null`,
);

interface Pending {
  readonly id: string;
  readonly state: number;
}

/** The first of several tasks that meets one that is there, or one before it in the call. */
export function findFirstMet(
  session: Session,
  entry: QueueEntry,
  tasks: readonly NewTask[],
  now: number,
): { readonly index: number; readonly id: string } | null {
  const pairs = tasks.flatMap(({ key }) => (key === null ? [] : [entry.row, key]));
  const byKey = new Map(readRows<readonly [string, string]>(session.db, SAME_KEYS, pairs));
  const byUnique = new Map<string, Pending[]>();
  for (const [index, task] of tasks.entries()) {
    const { id, key, unique } = task;
    const keyText = key === null ? null : toHex(key);
    const sameKey = keyText === null ? undefined : byKey.get(keyText);
    const met = sameKey ?? lowest(findUnique(session, entry, task)?.id, pendingOf(byUnique, task));
    if (met !== undefined) return { index, id: met };
    if (keyText !== null) byKey.set(keyText, id);
    if (!unique) continue;
    const { state } = placeOf(entry, task, now);
    const pending = { id, state: task.external && state === QUEUED ? RUNNING : state };
    byUnique.set(unique.key, [...(byUnique.get(unique.key) ?? []), pending]);
  }
  return null;
}

function pendingOf(
  byUnique: ReadonlyMap<string, readonly Pending[]>,
  { unique }: NewTask,
): string | undefined {
  if (!unique) return undefined;
  const inScope = (byUnique.get(unique.key) ?? []).filter(
    ({ state }) => unique.scope !== 'waiting' || isWaitingCode(state),
  );
  return lowest(...inScope.map(({ id }) => id));
}

function lowest(...ids: readonly (string | undefined)[]): string | undefined {
  return ids.filter((id) => id !== undefined).toSorted()[0];
}
