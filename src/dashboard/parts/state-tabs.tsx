import { TASK_STATES, type TaskCounts, type TaskState } from '../../core/index.ts';
import { countText } from '../number-text.ts';
import { totalCount } from '../task-words.ts';
import { Icon } from './icon.tsx';

const ALWAYS: readonly TaskState[] = ['queued', 'running', 'succeeded', 'failed'];

interface Props {
  /** null: not known. */
  readonly counts: TaskCounts | null;
  readonly chosen: TaskState | undefined;
  readonly hrefOf: (state: TaskState | undefined) => string;
}

/** Filters by state; rare states appear when there are such tasks. */
export function StateTabs({ counts, chosen, hrefOf }: Props) {
  const shown = TASK_STATES.filter(
    (state) => ALWAYS.includes(state) || state === chosen || (counts !== null && counts[state] > 0),
  );
  return (
    <nav class="tabs" aria-label="Filter by state">
      <a href={hrefOf(undefined)} aria-current={chosen === undefined ? 'true' : undefined}>
        all
        {counts && <span class="tab-count">{countText(totalCount(counts))}</span>}
      </a>
      {shown.map((state) => (
        <a
          key={state}
          class={`state-${state}`}
          href={hrefOf(state)}
          aria-current={chosen === state ? 'true' : undefined}
        >
          <Icon name={state} />
          {state}
          {counts && <span class="tab-count">{countText(counts[state])}</span>}
        </a>
      ))}
    </nav>
  );
}
