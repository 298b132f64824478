import type { TaskCounts } from '../../core/index.ts';
import { barShares } from '../bar-shares.ts';
import { countText } from '../number-text.ts';

/** How a queue's tasks divide among the states; done on the left, waiting on the right. */
export function StateBar({ counts }: { counts: TaskCounts }) {
  const shares = barShares(counts);
  const words = shares.map(({ state, count }) => `${countText(count)} ${state}`).join(', ');
  return (
    <svg class="state-bar" role="img" aria-label={words || 'no tasks'}>
      <title>{words || 'no tasks'}</title>
      <rect class="state-bar-ground" width="100%" height="100%" />
      {shares.map(({ state, from, width }) => (
        <rect
          key={state}
          class={`fill-${state}`}
          x={`${from}%`}
          width={`${width}%`}
          height="100%"
        />
      ))}
    </svg>
  );
}
