import { describe, expect, it } from 'vitest';
import { durationText, findTimeLeft, relativeText } from './time-text.ts';

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [320, '320 ms'],
    [1000, '1 s'],
    [4200, '4.2 s'],
    [59_900, '59 s'],
    [65_000, '1 min 5 s'],
    [7_200_000, '2 h'],
    [7_380_000, '2 h 3 min'],
    [100 * 3_600_000, '4 d 4 h'],
    [-5, '0 ms'],
  ])('%d ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe('distances from now', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  it.each([
    [0, 'now'],
    [-12_000, '12 s ago'],
    [-90_000, '1 min ago'],
    [-3 * 86_400_000, '3 days ago'],
    [300_000, 'in 5 min'],
    [7_200_000, 'in 2 h'],
  ])('%d ms away is %s', (ms, text) => {
    expect(relativeText(new Date(now.getTime() + ms), now)).toBe(text);
  });
});

describe('the time left', () => {
  it('is what waits by the rate', () => {
    expect(findTimeLeft(1200, 10)).toBe('2 min');
  });

  it('is not known when nothing moves or nothing waits', () => {
    expect(findTimeLeft(1200, 0)).toBeNull();
    expect(findTimeLeft(0, 10)).toBeNull();
  });
});
