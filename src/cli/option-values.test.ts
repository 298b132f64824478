import { describe, expect, it } from 'vitest';
import {
  orNone,
  toBytes,
  toChoice,
  toChoices,
  toCount,
  toDurationMs,
  toInteger,
  toJson,
  toKeyedLimit,
  toMoment,
  toNames,
  toPair,
} from './option-values.ts';

const NOON = new Date(2026, 2, 1, 12);

describe("an option's value", () => {
  it('is read as what it stands for', () => {
    expect(toInteger('-5')).toBe(-5);
    expect(toCount('12')).toBe(12);
    expect(orNone(toCount)('none')).toBeNull();
    expect(toDurationMs('10m')).toBe(600_000);
    expect(toBytes('16MiB')).toBe(16_777_216);
    expect(toJson('{"a": [1]}')).toEqual({ a: [1] });
    expect(toNames('a, b')).toEqual(['a', 'b']);
    expect(toNames('none')).toEqual([]);
    expect(toPair('a=b=c')).toEqual(['a', 'b=c']);
    expect(toChoices(['red', 'green'])('red,green')).toEqual(['red', 'green']);
  });

  it.each([
    [() => toInteger('1.5'), '"1.5" is not a whole number.'],
    [() => toCount('-1'), '"-1" is less than 0.'],
    [() => toDurationMs('10'), '"10" is not a duration. Use for example'],
    [() => toBytes('many'), '"many" is not a size. Use for example'],
    [() => toJson('{a}'), 'that is not JSON:'],
    [() => toPair('=x'), '"=x" is not NAME=VALUE.'],
    [
      () => toChoice(['fifo', 'lifo'])('fifi'),
      '"fifi" is none of fifo, lifo. Did you mean "fifo"?',
    ],
    [() => toKeyedLimit('5'), '"5" is not NAME=BY:MAX or NAME=BY:MAX/PER.'],
    [() => toMoment(1)('soon'), '"soon" is no time.'],
    [() => toMoment(1)('2026-13-01'), '"2026-13-01" is no time.'],
  ])('is refused with what would be right (%#)', (read, message) => {
    expect(read).toThrow(message);
  });

  it('may be a limit by key, at one time or within a time', () => {
    expect(toKeyedLimit('tenants=tenant:5')).toEqual({
      name: 'tenants',
      by: 'tenant',
      max: 5,
      perMs: null,
    });
    expect(toKeyedLimit('rate=host.name:100/1m')).toEqual({
      name: 'rate',
      by: 'host.name',
      max: 100,
      perMs: 60_000,
    });
  });

  it('may be an instant, said by the calendar or from now', () => {
    expect(toMoment(-1)('2h')(NOON)).toEqual(new Date(2026, 2, 1, 10));
    expect(toMoment(1)('2h')(NOON)).toEqual(new Date(2026, 2, 1, 14));
    expect(toMoment(1)('2026-03-05')(NOON)).toEqual(new Date(2026, 2, 5));
    expect(toMoment(1)('2026-03-05 09:30')(NOON)).toEqual(new Date(2026, 2, 5, 9, 30));
    expect(toMoment(1)('2026-03-05T09:30Z')(NOON)).toEqual(new Date(Date.UTC(2026, 2, 5, 9, 30)));
  });
});
