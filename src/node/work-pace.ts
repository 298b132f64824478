/** How fast in-process tasks go, so that a node takes just as many ahead as it begins within moments. */
export interface WorkPace {
  /** A task ran this long. */
  observe(runMs: number): void;
  /** Tasks taken ahead waited too long: take none until shorter runs were seen. */
  slowDown(): void;
  /**
   * How many tasks beyond the slots are worth having in hand; none if no task has ended since
   * the last call, for then slow ones may hold every slot.
   */
  takeAheadCount(): number;
}

export interface PaceOptions {
  readonly slots: number;
  /** Never more than this ahead. */
  readonly maxAhead: number;
}

const AHEAD_MS = 10;
const SLOW_MS = 250;
const WEIGHT = 0.1;

export function createWorkPace({ slots, maxAhead }: PaceOptions): WorkPace {
  let averageMs: number | null = null;
  let hasEnded = false;
  return {
    observe(runMs) {
      hasEnded = true;
      averageMs = averageMs === null ? runMs : averageMs + (runMs - averageMs) * WEIGHT;
    },
    slowDown() {
      averageMs = Math.max(averageMs ?? 0, SLOW_MS);
    },
    takeAheadCount() {
      if (averageMs === null || averageMs >= AHEAD_MS || !hasEnded) return 0;
      hasEnded = false;
      const count = Math.floor((slots * AHEAD_MS) / Math.max(averageMs, 0.001));
      return Math.min(count, maxAhead);
    },
  };
}
