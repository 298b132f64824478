import type { ArchivedTask, ArchiveQuery, Page } from '../../core/store/index.ts';
import { toByteas } from './array-literal.ts';
import type { Statements } from './database.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  SHOWN_COLUMNS,
  SHOWN_FROM,
  type ShownTask,
  toEndedAttempt,
  toTask,
} from './rows.ts';
import { findQueueRows, openCandidates } from './task-sources.ts';
import { fromHex, fromUniqueText, LONGEST_RANK_BYTES } from './values.ts';

// One probe by id per task; a length is known without reading what is long.
const SIZES_SQL = `
  select e.id, (
    select octet_length(t.params) + coalesce(octet_length(t.result), 0)
    from tasks t where t.id = e.id) + coalesce((
    select sum(coalesce(octet_length(a.data), 0) + coalesce(octet_length(a.late_data), 0))
    from attempts a where a.task = e.id), 0)::int8 as size
  from unnest($1::bytea[]) with ordinality e(id, at) order by e.at`;
const READ_SQL = `
  select ${SHOWN_COLUMNS} from unnest($1::bytea[]) with ordinality e(id, at)
  join ${SHOWN_FROM} on t.id = e.id order by e.at`;
const ATTEMPTS_SQL = `
  select a.* from unnest($1::bytea[]) e(id) cross join lateral (
    select ${ATTEMPT_COLUMNS} from attempts a join tasks t on t.id = a.task
    join queues q on q.row = t.queue join nodes n on n.row = a.node
    where a.task = e.id order by a.fence) a`;
const OUTPUTS_SQL = `
  select e.id as task, f.fence from unnest($1::bytea[]) e(id)
  cross join lateral (select distinct o.fence from outputs o where o.task = e.id) f
  order by f.fence`;

interface Sized {
  readonly id: string;
  readonly size: number;
}

/** Within one moment. */
export async function listArchivedTasks(
  tx: Statements,
  { namespace, queueId, after, limit, limitBytes }: ArchiveQuery,
): Promise<Page<ArchivedTask>> {
  const query = { queueIds: [queueId], sort: 'id', direction: 'asc', after, limit } as const;
  const rows = await findQueueRows(tx, namespace, query);
  if (rows.length === 0) return { items: [], next: null };
  const { ids: found } = await openCandidates(tx, namespace, query, rows)(after, limit + 1);
  const sized = await tx.all<Sized>(SIZES_SQL, toByteas(found));
  const ids = takeWithin(sized, limit, limitBytes);
  const items = await readTasks(tx, ids);
  return { items, next: ids.length < found.length ? (ids.at(-1) ?? null) : null };
}

/** At least one. */
function takeWithin(sized: readonly Sized[], limit: number, limitBytes: number): string[] {
  const ids: string[] = [];
  let bytes = 0;
  for (const { id, size } of sized.slice(0, limit)) {
    if (ids.length > 0 && bytes >= limitBytes) break;
    ids.push(id);
    bytes += size;
  }
  return ids;
}

async function readTasks(tx: Statements, ids: readonly string[]): Promise<ArchivedTask[]> {
  if (ids.length === 0) return [];
  const list = toByteas(ids);
  const tasks = await tx.all<ShownTask>(READ_SQL, list);
  const attempts = groupByTask(await tx.all<AttemptRow>(ATTEMPTS_SQL, list));
  const outputs = groupByTask(await tx.all<{ task: string; fence: number }>(OUTPUTS_SQL, list));
  return tasks.map((row) => ({
    task: toTask(row),
    rank: fromHex(wholeRank(row)),
    uniqueKey: row.uniqueKey === null ? null : fromUniqueText(row.uniqueKey),
    attempts: (attempts.get(row.id) ?? []).map(toEndedAttempt),
    outputFences: (outputs.get(row.id) ?? []).map(({ fence }) => fence),
  }));
}

function groupByTask<Row extends { readonly task: string }>(rows: readonly Row[]) {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.task);
    if (group) group.push(row);
    else groups.set(row.task, [row]);
  }
  return groups;
}

/** A rank that was cut is the beginning of the task's key. */
function wholeRank({ rank, key }: ShownTask): string {
  const isCut = rank.length === 2 * LONGEST_RANK_BYTES && key?.startsWith(rank);
  return isCut ? (key ?? rank) : rank;
}
