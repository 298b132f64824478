/** Which task a new one meets: that of the same key, else one that its `unique` looks at. */
import type { NewTask, UniqueScope } from '../../core/store/index.ts';
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import { isFinalCode, isWaitingCode } from './codes.ts';
import { lockKeys } from './locks.ts';
import type { TaskRow } from './rows.ts';
import { lockTasks } from './task-rows.ts';
import { toHex, toUniqueText } from './values.ts';
import type { Work } from './work.ts';

export interface Newcomer {
  /** The queue's row. */
  readonly queue: number;
  readonly task: NewTask;
}

/** Tasks that newcomers may meet, the newcomers of the same step among them. */
export interface Meetings {
  find(newcomer: Newcomer): { readonly met: TaskRow; readonly isSameKey: boolean } | null;
  /** A task was added, or has another unique key now. */
  note(task: TaskRow): void;
}

export const SAME_KEY_SQL = `
  select t.id, e.key from unnest($1::int4[], $2::bytea[]) e(queue, key) cross join lateral (
    select t.id from tasks t
    where t.queue = e.queue and t.key is not null
      and substring(t.key, 1, 1000) = substring(e.key, 1, 1000) and sha256(t.key) = sha256(e.key)
    limit 1) t`;
// All that have not ended, and the first of all.
const SAME_UNIQUE_SQL = `
  select t.id from unnest($1::int4[], $2::text[]) e(queue, unique_key) cross join lateral (
    (select t.id from tasks t
     where t.queue = e.queue and t.unique_key = e.unique_key and t.ended_at is null)
    union all
    (select t.id from tasks t where t.queue = e.queue and t.unique_key = e.unique_key
     order by t.id limit 1)) t`;

const uniqueOf = ({ unique }: NewTask): string | null => unique && toUniqueText(unique.key);
const keyOf = ({ key }: NewTask): string | null => key && toHex(key);

export function mayMeet({ key, unique }: NewTask): boolean {
  return key !== null || unique !== null;
}

/** Before anything else of the step, for keys come first in the order of locks. */
export async function lockNewcomers(work: Work, newcomers: readonly Newcomer[]): Promise<void> {
  const keys = newcomers.flatMap(({ queue, task }) => {
    const words = [keyOf(task), uniqueOf(task)].filter((word) => word !== null);
    return words.map((key) => ({ queue, key }));
  });
  await lockKeys(work.db, keys);
}

/** Locks and reads all that newcomers may meet; their keys and definitions must be locked. */
export async function readMeetings(work: Work, newcomers: readonly Newcomer[]): Promise<Meetings> {
  const keyed = newcomers.filter(({ task }) => task.key !== null);
  const unique = newcomers.filter(({ task }) => task.unique !== null);
  const rowsOf = (some: readonly Newcomer[]): string => toNumbers(some.map(({ queue }) => queue));
  const found: { id: string }[] = [];
  if (keyed.length > 0) {
    const keys = toByteas(keyed.map(({ task }) => keyOf(task)));
    found.push(...(await work.db.all<{ id: string }>(SAME_KEY_SQL, rowsOf(keyed), keys)));
  }
  if (unique.length > 0) {
    const keys = toTexts(unique.map(({ task }) => uniqueOf(task)));
    found.push(...(await work.db.all<{ id: string }>(SAME_UNIQUE_SQL, rowsOf(unique), keys)));
  }
  const ids = found.map(({ id }) => id);
  const tasks = ids.length > 0 ? [...(await lockTasks(work, ids)).values()] : [];
  return createMeetings([...tasks, ...work.tasks.values()]);
}

function createMeetings(tasks: readonly TaskRow[]): Meetings {
  const byKey = new Map<string, TaskRow>();
  const byUnique = new Map<string, Set<TaskRow>>();

  function note(task: TaskRow): void {
    const { queue, key, uniqueKey } = task;
    if (key !== null) byKey.set(`${queue} ${key}`, task);
    if (uniqueKey === null) return;
    const name = `${queue} ${uniqueKey}`;
    byUnique.set(name, (byUnique.get(name) ?? new Set()).add(task));
  }
  for (const task of tasks) note(task);

  return {
    note,
    find({ queue, task }) {
      const sameKey = task.key && byKey.get(`${queue} ${keyOf(task)}`);
      if (sameKey) return { met: sameKey, isSameKey: true };
      if (!task.unique) return null;
      const { scope } = task.unique;
      const uniqueKey = uniqueOf(task);
      const rivals = [...(byUnique.get(`${queue} ${uniqueKey}`) ?? [])].filter(
        (one) => one.uniqueKey === uniqueKey && isInScope(one, scope),
      );
      const [met] = rivals.sort((a, b) => (a.id < b.id ? -1 : 1));
      return met ? { met, isSameKey: false } : null;
    },
  };
}

function isInScope({ state }: TaskRow, scope: UniqueScope): boolean {
  if (scope === 'waiting') return isWaitingCode(state);
  return scope === 'forever' || !isFinalCode(state);
}
