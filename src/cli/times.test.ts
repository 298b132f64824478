import { describe, expect, it } from 'vitest';
import { formatAgo, formatLength, formatLocal, formatTime, toLocalTimes } from './times.ts';

const NOON = new Date(2026, 2, 1, 12);

function earlier(ms: number): Date {
  return new Date(NOON.getTime() - ms);
}

describe('times for people', () => {
  it.each([
    [0, '0ms'],
    [40, '40ms'],
    [1500, '1.5s'],
    [2000, '2s'],
    [192_000, '3m 12s'],
    [3_600_000, '1h'],
    [3_605_000, '1h'],
    [100 * 3_600_000, '4d 4h'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatLength(ms)).toBe(text);
  });

  it('are told from now', () => {
    expect(formatAgo(earlier(500), NOON)).toBe('now');
    expect(formatAgo(earlier(65_000), NOON)).toBe('1m 5s ago');
    expect(formatAgo(earlier(-65_000), NOON)).toBe('in 1m 5s');
  });

  it('are told by the local clock where the server told them by UTC', () => {
    expect(toLocalTimes(`It starts at ${NOON.toISOString()}, not before.`)).toBe(
      `It starts at ${formatLocal(NOON)}, not before.`,
    );
  });

  it('are told by the local clock, too', () => {
    expect(formatTime(earlier(2000), NOON)).toBe('2026-03-01 11:59:58 (2s ago)');
    expect(formatTime(null, NOON)).toBe('-');
  });
});
