import type { Clock } from '../core/index.ts';
import { formatRate } from './numbers.ts';
import { formatLength } from './times.ts';

const WINDOW_MS = 30_000;

/** How fast something goes, by what was done within the last half minute. */
export interface Pace {
  add(done: number): void;
  /** `12/s, 3m 12s left`; '' until it is known. */
  text(left: number | null): string;
}

export function createPace(clock: Clock): Pace {
  const samples: { readonly ms: number; readonly done: number }[] = [];
  return {
    add(done) {
      const ms = clock.monotonicMs();
      samples.push({ ms, done });
      while (samples.length > 2 && ms - (samples[1]?.ms ?? ms) >= WINDOW_MS) samples.shift();
    },
    text(left) {
      const [first] = samples;
      const last = samples.at(-1);
      if (!first || !last || last.ms - first.ms < 500 || last.done <= first.done) return '';
      const perSecond = ((last.done - first.done) * 1000) / (last.ms - first.ms);
      const rate = formatRate(perSecond);
      return left === null
        ? rate
        : `${rate}, ${formatLength(Math.ceil(left / perSecond) * 1000)} left`;
    },
  };
}
