import type { Page, Task, TaskQuery } from '../../core/store/index.ts';
import { manyRows, readRows } from './many-rows.ts';
import { inOrder } from './ordered-merge.ts';
import { toTask } from './rows.ts';
import type { Session } from './session.ts';
import { createTaskFilter, type FilteredTask } from './task-filter.ts';
import { getTaskByRow } from './task-rows.ts';
import { type Found, sourcesOf } from './task-sources.ts';

/** How many tasks one call looks at: about 50 ms of work, for nobody else works meanwhile. */
const MOST_SEEN = 20_000;
const SEEN_AT_ONCE = 32;

export function listTasks(session: Session, namespace: string, query: TaskQuery): Page<Task> {
  const sign = query.direction === 'asc' ? 1 : -1;
  const matches = createTaskFilter(session, namespace, query);
  const found = inOrder(sourcesOf(session, namespace, query), ([a], [b]) =>
    a < b ? -sign : a > b ? sign : 0,
  );
  const items: Task[] = [];
  let next = query.after;
  let seen = 0;
  for (const { place, row, task } of lookAt(session, found)) {
    if (seen === MOST_SEEN) return { items, next };
    seen += 1;
    const isFull = items.length >= query.limit;
    if (matches(task)) {
      if (isFull) return { items, next };
      items.push(toTask(session, getTaskByRow(session, row)));
    }
    if (!isFull) next = place;
  }
  return { items, next: null };
}

// Only what filters look at: reading whole tasks, one by one, takes five times as long.
const LOOK = manyRows(
  1,
  (rows) => `
  select t.row, t.queue, lower(hex(t.id)), t.state, t.key, t.node, t.hold, t.created_at, t.labels,
    t.error, t.params
  from (values ${rows}) e cross join tasks t on t.row = e.column1`,
);

type LookTuple = readonly [
  row: number,
  queue: number,
  id: string,
  state: number,
  key: Uint8Array | null,
  node: number | null,
  hold: number | null,
  createdAt: number,
  labels: string | null,
  error: string | null,
  params: string,
];

interface Seen {
  readonly place: string;
  readonly row: number;
  readonly task: FilteredTask;
}

function* lookAt({ db }: Session, found: Iterable<Found>): Generator<Seen, void> {
  let batch: Found[] = [];
  function* look(): Generator<Seen, void> {
    const rows = batch.map(([, row]) => row);
    const tuples = new Map(readRows<LookTuple>(db, LOOK, rows).map((tuple) => [tuple[0], tuple]));
    for (const [place, row] of batch) {
      const tuple = tuples.get(row);
      if (tuple) yield { place, row, task: toFiltered(tuple) };
    }
    batch = [];
  }
  for (const one of found) {
    batch.push(one);
    if (batch.length === SEEN_AT_ONCE) yield* look();
  }
  yield* look();
}

function toFiltered(tuple: LookTuple): FilteredTask {
  const [, queue, id, state, key, node, hold, createdAt, labels, error, params] = tuple;
  return { queue, id, state, key, node, hold, createdAt, labels, error, params };
}
