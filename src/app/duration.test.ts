import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '30', 's', '30 s', '-1s', '1y', '1h-', '99999999999999w'])(
    '"%s" is none',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  it.each([0, 1, 999, 1000, 5_400_000, 90_061_001, 604_800_000])(
    '%d ms is written so that it reads back the same',
    (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    },
  );
});
