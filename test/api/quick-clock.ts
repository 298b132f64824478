import { type Clock, systemClock } from '../../src/core/index.ts';

/** Time that passes at once, and is told of. */
export function aQuickClock(): { slept: number[]; clock: Clock } {
  const slept: number[] = [];
  let passedMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    passedMs += ms;
  };
  return { slept, clock: { ...systemClock, sleep, monotonicMs: () => passedMs } };
}
