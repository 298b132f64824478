import { Crumbs } from '../parts/crumbs.tsx';
import { TaskList } from '../parts/task-list.tsx';
import type { Place } from '../route.ts';
import { sumCounts } from '../task-words.ts';
import { queueRows } from '../yard.ts';

type TasksPlace = Extract<Place, { page: 'tasks' }>;

/** Tasks of all queues, or those a node holds. */
export function TasksPage({ place }: { place: TasksPlace }) {
  const rows = queueRows.value;
  const isOfNode = place.node !== undefined;
  const counts = isOfNode || rows === null ? null : sumCounts(rows.map((row) => row.counts));
  return (
    <>
      <Crumbs
        steps={[
          { text: 'Overview', place: { page: 'overview' } },
          ...(isOfNode ? [{ text: 'Nodes', place: { page: 'nodes' } as const }] : []),
        ]}
      />
      <div class="page-head">
        <h1 class="isolate">{isOfNode ? `Tasks on ${place.node}` : 'Tasks of all queues'}</h1>
      </div>
      <TaskList place={place} counts={counts} />
    </>
  );
}
