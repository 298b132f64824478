import { describe, expect, it } from 'vitest';
import { noCounts } from '../core/index.ts';
import { barShares } from './bar-shares.ts';

describe('barShares', () => {
  it('fills the bar, in the order of progress', () => {
    const shares = barShares({ ...noCounts(), queued: 50, succeeded: 25, running: 25 });

    expect(shares.map(({ state, from, width }) => [state, from, width])).toEqual([
      ['succeeded', 0, 25],
      ['running', 25, 25],
      ['queued', 50, 50],
    ]);
  });

  it('shows one task among a million', () => {
    const [, failed] = barShares({ ...noCounts(), succeeded: 1_000_000, failed: 1 });

    expect(failed).toMatchObject({ state: 'failed', count: 1 });
    expect(failed?.width).toBeGreaterThan(1);
  });

  it('is empty without tasks', () => {
    expect(barShares(noCounts())).toEqual([]);
  });
});
