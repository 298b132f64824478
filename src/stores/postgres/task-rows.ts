/** Reading queues and tasks with a lock. */
import { toByteas, toNumbers, toTexts } from './array-literal.ts';
import { HIDDEN, QUEUE_COLUMNS, type QueueEntry, type QueueRow, toEntry } from './queue-entry.ts';
import { TASK_COLUMNS, type TaskRow } from './rows.ts';
import type { Work } from './work.ts';

export const isIdHex = (id: string): boolean => /^(?:[0-9a-f]{2})+$/.test(id);

const LOCK_DEFINITIONS_SQL = 'select lock_definitions($1::int4[])';
const LOCK_DEFINITIONS_OF_SQL = `
  select lock_definitions($1::int4[] || array(
    select (select t.queue from tasks t where t.id = e.id) from unnest($2::bytea[]) e(id)))`;
const QUEUES_SQL = `
  select ${QUEUE_COLUMNS} from unnest($1::int4[]) e(row)
  cross join lateral (select * from queues q where q.row = e.row limit 1) q`;

// One probe by id per task, whatever the planner thinks of the sizes; in order, so that two calls
// never wait for each other.
export const LOCK_TASKS_SQL = `
  select t.* from unnest($1::bytea[]) e(id)
  cross join lateral (select ${TASK_COLUMNS} from tasks t where t.id = e.id limit 1 for update) t`;

/** Locks definitions: of queues by row, and of the queues of tasks. */
export async function lockDefinitions(
  work: Work,
  rows: readonly number[],
  taskIds: readonly string[] = [],
): Promise<void> {
  if (taskIds.length > 0) {
    await work.db.run(LOCK_DEFINITIONS_OF_SQL, toNumbers(rows), toByteas(taskIds));
  } else await work.db.run(LOCK_DEFINITIONS_SQL, toNumbers(rows));
}

export async function readQueues(work: Work, rows: readonly number[]): Promise<void> {
  const unknown = [...new Set(rows)].filter((row) => !work.queues.has(row));
  if (unknown.length === 0) return;
  for (const row of await work.db.all<QueueRow>(QUEUES_SQL, toNumbers(unknown))) {
    work.queues.set(row.row, toEntry(row));
  }
}

const QUEUE_ROWS_SQL = 'select row, id from queues where id = any($1::text[])';

/** Locks and reads the definitions of queues, by id; those that are not there are missing. */
export async function lockQueues(
  work: Work,
  ids: readonly string[],
  taskIds: readonly string[] = [],
): Promise<Map<string, QueueEntry>> {
  const wanted = toTexts([...new Set(ids)]);
  const found =
    ids.length > 0 ? await work.db.all<{ row: number; id: string }>(QUEUE_ROWS_SQL, wanted) : [];
  const rows = found.map(({ row }) => row);
  await lockDefinitions(work, rows, taskIds);
  await readQueues(work, rows);
  const entries = new Map<string, QueueEntry>();
  for (const { row, id } of found) {
    const entry = work.queues.get(row);
    if (entry && entry.fate !== HIDDEN) entries.set(id, entry);
  }
  return entries;
}

/** Takes rows into the work; a task that is there already stays as it is. */
export async function adopt(work: Work, rows: readonly TaskRow[]): Promise<TaskRow[]> {
  await readQueues(
    work,
    rows.map(({ queue }) => queue),
  );
  return rows
    .filter(({ queue }) => work.queues.get(queue)?.fate !== HIDDEN)
    .map((row) => {
      const known = work.tasks.get(row.id);
      if (known) return known;
      work.tasks.set(row.id, row);
      return row;
    });
}

/** Locks and reads tasks whose definitions are locked, by id; those that are not there are missing. */
export async function lockTasks(work: Work, ids: readonly string[]): Promise<Map<string, TaskRow>> {
  const sorted = [...new Set(ids)].filter(isIdHex).sort();
  const rows = await work.db.all<TaskRow>(LOCK_TASKS_SQL, toByteas(sorted));
  return new Map((await adopt(work, rows)).map((task) => [task.id, task]));
}

/** Of one namespace. */
export async function lockTasksIn(
  work: Work,
  namespace: string,
  ids: readonly string[],
): Promise<Map<string, TaskRow>> {
  const known = [...new Set(ids)].filter(isIdHex);
  await lockDefinitions(work, [], known);
  const tasks = await lockTasks(work, known);
  for (const [id, { queue }] of tasks) {
    if (work.queues.get(queue)?.queue.namespace !== namespace) tasks.delete(id);
  }
  return tasks;
}

/**
 * Rows with the places of their tasks. A join by id could be planned the other way round, from a
 * table that was small when it was last looked at; one by place cannot.
 */
export function withPlaces(rows: string): string {
  return `(select e.*, (select t.ctid from tasks t where t.id = e.id) as place from ${rows}) e`;
}

export async function deleteRows(work: Work, ids: readonly string[]): Promise<void> {
  const list = toByteas(ids);
  await work.db.run('delete from outputs where task = any($1::bytea[])', list);
  await work.db.run('delete from attempts where task = any($1::bytea[])', list);
  await work.db.run('delete from tasks where id = any($1::bytea[])', list);
}
