/** How fast in-process tasks go, so that a node takes just as many ahead as it begins within moments. */
export interface WorkPace {
  /** A task ran this long. */
  observe(runMs: number): void;
  /** Tasks taken ahead waited too long: take none until shorter runs were seen. */
  slowDown(): void;
  /** How many tasks beyond the slots are worth having in hand. */
  aheadCount(): number;
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
  return {
    observe(runMs) {
      averageMs = averageMs === null ? runMs : averageMs + (runMs - averageMs) * WEIGHT;
    },
    slowDown() {
      averageMs = Math.max(averageMs ?? 0, SLOW_MS);
    },
    aheadCount() {
      if (averageMs === null || averageMs >= AHEAD_MS) return 0;
      const count = Math.floor((slots * AHEAD_MS) / Math.max(averageMs, 0.001));
      return Math.min(count, maxAhead);
    },
  };
}
