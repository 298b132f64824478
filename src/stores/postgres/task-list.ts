import type { Page, Task, TaskQuery } from '../../core/store/index.ts';
import { toByteas } from './array-literal.ts';
import type { Statements } from './database.ts';
import { SHOWN_COLUMNS, type ShownTask, toTask } from './rows.ts';
import { createTaskFilter } from './task-filter.ts';
import { findQueueRows, openCandidates } from './task-sources.ts';

/** How many tasks one call looks at. */
const MOST_SEEN = 20_000;

const READ_SQL = `
  select ${SHOWN_COLUMNS} from unnest($1::bytea[]) with ordinality e(id, at)
  cross join lateral (select * from tasks t where t.id = e.id limit 1) t
  join queues q on q.row = t.queue and q.fate < 2 and q.namespace = $2
  left join nodes n on n.row = t.node order by e.at`;

export async function listTasks(
  tx: Statements,
  namespace: string,
  query: TaskQuery,
): Promise<Page<Task>> {
  const { sort, limit } = query;
  const matches = createTaskFilter(query);
  const rows = await findQueueRows(tx, namespace, query);
  const nextCandidates = openCandidates(tx, namespace, query, rows);
  const items: Task[] = [];
  let next = query.after;
  for (let cursor = query.after, seen = 0; ; ) {
    const { ids, end } = await nextCandidates(cursor, Math.max(limit + 1, 200));
    for (const row of await tx.all<ShownTask>(READ_SQL, toByteas(ids), namespace)) {
      const isFull = items.length >= limit;
      if (matches(row)) {
        if (isFull) return { items, next };
        items.push(toTask(row));
      }
      if (!isFull) next = sort === 'id' ? row.id : row.key;
    }
    if (end === null) return { items, next: null };
    cursor = end.place;
    if (items.length < limit) next = cursor;
    seen += end.seen;
    if (seen >= MOST_SEEN) return { items, next };
  }
}
