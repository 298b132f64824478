import { useRef, useState } from 'preact/hooks';
import type { TaskCounts, TaskSelection } from '../../core/index.ts';
import { linkTo, replacePlace } from '../address.ts';
import { useLive } from '../live.ts';
import type { Place } from '../route.ts';
import { engine } from '../session.ts';
import { readTaskPage, type TaskPage } from '../task-page-reader.ts';
import { refreshYard } from '../yard.ts';
import { BulkBar } from './bulk-bar.tsx';
import { SearchField } from './search-field.tsx';
import { StateTabs } from './state-tabs.tsx';
import { TaskTable } from './task-table.tsx';
import { Trouble } from './trouble.tsx';

type ListedPlace = Extract<Place, { page: 'queue' | 'tasks' }>;

interface Props {
  readonly place: ListedPlace;
  readonly counts: TaskCounts | null;
}

const EVERY_MS = 2000;

/** Tasks of one queue or of all, narrowed by state and text, page by page, with what can be done to many. */
export function TaskList({ place, counts }: Props) {
  const { state, search } = place;
  const selection = toSelection(place);
  const about = JSON.stringify(selection);
  const [{ cursors, cursorsAbout }, setCursors] = useState<{
    cursors: readonly string[];
    cursorsAbout: string;
  }>({ cursors: [], cursorsAbout: about });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Another filter begins at its first page, with nothing selected.
  if (cursorsAbout !== about) {
    setCursors({ cursors: [], cursorsAbout: about });
    setSelected(new Set());
  }
  const after = (cursorsAbout === about ? cursors.at(-1) : undefined) ?? null;

  const shown = useRef<TaskPage | null>(null);
  // Rows must not move away under the hand that ticks them.
  const isStill = selected.size > 0;
  const page = useLive(
    async () => {
      if (!isStill || shown.current === null) {
        shown.current = await readTaskPage(engine.value, selection, after);
      }
      return shown.current;
    },
    EVERY_MS,
    [engine.value, about, after],
  );

  const turnTo = (next: readonly string[]): void => {
    shown.current = null;
    setCursors({ cursors: next, cursorsAbout: about });
    setSelected(new Set());
  };
  const tick = (ids: readonly string[], isSelected: boolean): void => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  };

  const next = page.value?.next ?? null;
  return (
    <section class="card" aria-label="Tasks">
      <div class="list-head">
        <StateTabs
          counts={counts}
          chosen={state}
          hrefOf={(chosen) => linkTo({ ...withoutState(place), ...(chosen && { state: chosen }) })}
        />
        <SearchField
          label="Search key, error and params"
          text={search ?? ''}
          onText={(text) => replacePlace({ ...place, search: text })}
        />
      </div>
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          selection={selection}
          hasMore={next !== null || cursors.length > 0}
          onClear={() => setSelected(new Set())}
          onDone={() => {
            setSelected(new Set());
            shown.current = null;
            page.refresh();
            refreshYard();
          }}
        />
      )}
      {page.error && <Trouble kind="bad">{page.error}</Trouble>}
      {page.value && page.value.tasks.length > 0 && (
        <TaskTable
          tasks={page.value.tasks}
          hasQueue={place.page === 'tasks'}
          selected={selected}
          onSelect={tick}
        />
      )}
      {page.value?.tasks.length === 0 && (
        <p class="empty">{next === null ? emptyText(place) : 'None found so far; look further.'}</p>
      )}
      {(cursors.length > 0 || next !== null) && (
        <nav class="pager" aria-label="Pages of tasks">
          <button
            type="button"
            disabled={cursors.length === 0}
            onClick={() => turnTo(cursors.slice(0, -1))}
          >
            Newer
          </button>
          <span class="faint">Page {cursors.length + 1}</span>
          <button
            type="button"
            disabled={next === null}
            onClick={() => next !== null && turnTo([...cursors, next])}
          >
            Older
          </button>
        </nav>
      )}
    </section>
  );
}

function toSelection(place: ListedPlace): TaskSelection {
  return {
    ...(place.page === 'queue' && { queues: [place.queue] }),
    ...(place.page === 'tasks' && place.node !== undefined && { node: place.node }),
    ...(place.state && { states: [place.state] }),
    ...(place.search && { search: place.search }),
  };
}

function withoutState(place: ListedPlace): ListedPlace {
  const { state: _, ...rest } = place;
  return rest;
}

function emptyText({ state, search }: ListedPlace): string {
  if (search) return 'No task holds this text. Upper and lower case differ.';
  return state ? `No task is ${state}.` : 'No tasks yet.';
}
