import type { TaskCounts, TaskState } from '../core/index.ts';
import { BAR_STATES, totalCount } from './task-words.ts';

export interface BarShare {
  readonly state: TaskState;
  readonly count: number;
  /** In percent of the bar. */
  readonly from: number;
  readonly width: number;
}

const LEAST_WIDTH = 1.5;

/** How a bar is divided. What is there at all can be seen, however little it is. */
export function barShares(counts: TaskCounts): BarShare[] {
  const total = totalCount(counts);
  const present = BAR_STATES.filter((state) => counts[state] > 0);
  const wanted = present.map((state) => Math.max(LEAST_WIDTH, (counts[state] / total) * 100));
  const scale = 100 / wanted.reduce((sum, width) => sum + width, 0);
  let from = 0;
  return present.map((state, index) => {
    const width = (wanted[index] ?? 0) * scale;
    const share = { state, count: counts[state], from, width };
    from += width;
    return share;
  });
}
