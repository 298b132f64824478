import { describe, expect, it } from 'vitest';
import { CURVE_HEIGHT, CURVE_WIDTH, rateCurve } from './rate-curve.ts';

function samples(...finished: readonly number[]) {
  return finished.map((count, index) => ({ atMs: index * 1000, finished: count, failed: 0 }));
}

describe('rateCurve', () => {
  it('ends at the right edge', () => {
    expect(rateCurve(samples(5, 5, 5)).line).toMatch(new RegExp(`L${CURVE_WIDTH} [\\d.]+$`));
  });

  it('lies on the ground when nothing ends', () => {
    expect(rateCurve(samples(0, 0)).line).toBe(
      `M983.3 ${CURVE_HEIGHT}L${CURVE_WIDTH} ${CURVE_HEIGHT}`,
    );
  });

  it('draws nothing of nothing, and no failures where there are none', () => {
    expect(rateCurve([])).toEqual({
      line: '',
      area: '',
      failedArea: '',
      peak: 0,
      windowMs: 60_000,
    });
    expect(rateCurve(samples(3, 3)).failedArea).toBe('');
  });

  it('shows more time as more is known, up to five minutes', () => {
    const known = (seconds: number) => rateCurve(samples(...Array(seconds + 1).fill(1))).windowMs;

    expect(known(10)).toBe(60_000);
    expect(known(100)).toBe(100_000);
    expect(known(900)).toBe(300_000);
  });

  it('has the peak of what it shows, single seconds smoothed', () => {
    expect(rateCurve(samples(0, 0, 30, 0, 0)).peak).toBe(10);
  });
});
