import type { Page, Task, TaskQuery } from '../../core/store/index.ts';
import { inOrder } from './ordered-merge.ts';
import { toTask } from './rows.ts';
import type { Session } from './session.ts';
import { createTaskFilter } from './task-filter.ts';
import { getTaskByRow } from './task-rows.ts';
import { sourcesOf } from './task-sources.ts';

/** How many tasks one call looks at. */
const MOST_SEEN = 50_000;

export function listTasks(session: Session, namespace: string, query: TaskQuery): Page<Task> {
  const sign = query.direction === 'asc' ? 1 : -1;
  const matches = createTaskFilter(session, namespace, query);
  const found = inOrder(sourcesOf(session, namespace, query), ([a], [b]) =>
    a < b ? -sign : a > b ? sign : 0,
  );
  const items: Task[] = [];
  let next = query.after;
  let seen = 0;
  for (const [place, row] of found) {
    if (seen === MOST_SEEN) return { items, next };
    seen += 1;
    const isFull = items.length >= query.limit;
    const task = getTaskByRow(session, row);
    if (matches(task)) {
      if (isFull) return { items, next };
      items.push(toTask(session, task));
    }
    if (!isFull) next = place;
  }
  return { items, next: null };
}
