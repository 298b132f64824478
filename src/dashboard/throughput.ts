/** How fast work ends, worked out from counts by state that are read again and again. */
import type { TaskCounts } from '../core/index.ts';

export interface QueueCounts {
  readonly queue: string;
  readonly counts: TaskCounts;
}

export interface Sample {
  readonly atMs: number;
  /** Ended within the sample, per second; `failed` is part of `finished`. */
  readonly finished: number;
  readonly failed: number;
}

export interface Throughput {
  readonly samples: readonly Sample[];
  /** Per second, over about the last quarter of a minute. */
  readonly rates: ReadonlyMap<string, number>;
  readonly rate: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly last: ReadonlyMap<string, Ended>;
}

interface Ended {
  readonly finished: number;
  readonly failed: number;
}

export const WINDOW_MS = 5 * 60_000;
const SMOOTHING_MS = 15_000;
/** A rate below this is a memory, not work. */
const LEAST_RATE = 0.02;

export const NO_THROUGHPUT: Throughput = {
  samples: [],
  rates: new Map(),
  rate: 0,
  firstAtMs: 0,
  lastAtMs: 0,
  last: new Map(),
};

export function withCounts(
  before: Throughput,
  atMs: number,
  all: readonly QueueCounts[],
): Throughput {
  const last = new Map(all.map(({ queue, counts }) => [queue, toEnded(counts)]));
  const seconds = (atMs - before.lastAtMs) / 1000;
  if (before.last.size === 0) return { ...before, last, firstAtMs: atMs, lastAtMs: atMs };
  if (seconds <= 0) return before;

  const rates = new Map<string, number>();
  const weight = newestWeight(before, atMs);
  let finished = 0;
  let failed = 0;
  let rate = 0;
  for (const [queue, ended] of last) {
    const was = before.last.get(queue);
    const grown = was ? growth(was, ended) : { finished: 0, failed: 0 };
    finished += grown.finished / seconds;
    failed += grown.failed / seconds;
    const old = before.rates.get(queue) ?? 0;
    const smooth = old + weight * (grown.finished / seconds - old);
    if (smooth < LEAST_RATE) continue;
    rates.set(queue, smooth);
    rate += smooth;
  }
  const samples = [...before.samples, { atMs, finished, failed }].filter(
    (sample) => sample.atMs >= atMs - WINDOW_MS,
  );
  return { samples, rates, rate, firstAtMs: before.firstAtMs, last, lastAtMs: atMs };
}

/** How much the newest reading counts beside the older ones; at the beginning there are few, and it counts more. */
function newestWeight({ firstAtMs, lastAtMs }: Throughput, atMs: number): number {
  const fading = (ms: number): number => 1 - Math.exp(-ms / SMOOTHING_MS);
  return fading(atMs - lastAtMs) / fading(atMs - firstAtMs);
}

/** Cancelling is an operator's act, so what it ends is not work that was done. */
function toEnded({ succeeded, failed, terminated }: TaskCounts): Ended {
  return { finished: succeeded + failed + terminated, failed: failed + terminated };
}

/** Retention, deletion and retry take from the counts: that is no work, and not less of it either. */
function growth(was: Ended, is: Ended): Ended {
  const failed = Math.max(0, is.failed - was.failed);
  const succeeded = Math.max(0, is.finished - is.failed - (was.finished - was.failed));
  return { finished: succeeded + failed, failed };
}
