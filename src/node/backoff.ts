import type { Random } from '../core/index.ts';

/** Full jitter: waits a random part of a bound that doubles with each failure. */
export interface Backoff {
  nextMs(): number;
  reset(): void;
}

export interface BackoffBounds {
  readonly baseMs: number;
  readonly maxMs: number;
}

export function createBackoff(random: Random, { baseMs, maxMs }: BackoffBounds): Backoff {
  let boundMs = baseMs;
  return {
    nextMs() {
      const waitMs = random.next() * boundMs;
      boundMs = Math.min(boundMs * 2, maxMs);
      return waitMs;
    },
    reset() {
      boundMs = baseMs;
    },
  };
}
