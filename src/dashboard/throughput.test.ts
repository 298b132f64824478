import { describe, expect, it } from 'vitest';
import { noCounts, type TaskState } from '../core/index.ts';
import { NO_THROUGHPUT, type Throughput, WINDOW_MS, withCounts } from './throughput.ts';

function reading(before: Throughput, atMs: number, counts: Partial<Record<TaskState, number>>) {
  return withCounts(before, atMs, [{ queue: 'thumbs', counts: { ...noCounts(), ...counts } }]);
}

describe('throughput', () => {
  it('is what ended between two readings, per second', () => {
    const first = reading(NO_THROUGHPUT, 1000, { succeeded: 100 });

    const second = reading(first, 3000, { succeeded: 120, failed: 4 });

    expect(first.samples).toEqual([]);
    expect(second.samples).toEqual([{ atMs: 3000, finished: 12, failed: 2 }]);
  });

  it('does not count what was there before, nor what is taken away', () => {
    const first = reading(NO_THROUGHPUT, 0, { succeeded: 1000, failed: 50 });

    const purged = reading(first, 1000, { succeeded: 10, failed: 51 });

    expect(purged.samples).toEqual([{ atMs: 1000, finished: 1, failed: 1 }]);
  });

  it('does not count what an operator cancelled', () => {
    const first = reading(NO_THROUGHPUT, 0, { queued: 500 });

    expect(reading(first, 1000, { cancelled: 500 }).samples[0]?.finished).toBe(0);
  });

  it('tells a steady rate from the first readings on', () => {
    let throughput = reading(NO_THROUGHPUT, 7000, {});
    for (const second of [1, 2, 3]) {
      throughput = reading(throughput, 7000 + second * 1000, { succeeded: second * 40 });
      expect(throughput.rate).toBeCloseTo(40);
    }
  });

  it('comes near to a new rate, and forgets it when work stops', () => {
    let throughput = reading(NO_THROUGHPUT, 0, {});
    for (let second = 1; second <= 60; second += 1) {
      throughput = reading(throughput, second * 1000, { succeeded: second * 40 });
    }
    expect(throughput.rate).toBeGreaterThan(39);
    expect(throughput.rates.get('thumbs')).toBe(throughput.rate);

    for (let second = 61; second <= 200; second += 1) {
      throughput = reading(throughput, second * 1000, { succeeded: 60 * 40 });
    }
    expect(throughput.rate).toBe(0);
  });

  it('remembers one window and not more', () => {
    let throughput = NO_THROUGHPUT;
    for (let atMs = 0; atMs <= 2 * WINDOW_MS; atMs += 1000) {
      throughput = reading(throughput, atMs, {});
    }

    expect(throughput.samples).toHaveLength(WINDOW_MS / 1000 + 1);
  });
});
