import type { Clock } from '../core/index.ts';

/** Gathers all that asks for a turn of the event loop into one call at its end. */
export interface Turns {
  want(): void;
}

export function createTurns(clock: Clock, work: () => void): Turns {
  let wanted = false;
  const take = (): void => {
    wanted = false;
    work();
  };
  return {
    want() {
      if (wanted) return;
      wanted = true;
      void clock.turn().then(take);
    },
  };
}
