import { describe, expect, it } from 'vitest';
import { toArrayRange } from './array-range.ts';

describe('a range of numbers', () => {
  it.each([
    ['1-3', [1, 2, 3]],
    ['7', [7]],
    ['0-10:5', [0, 5, 10]],
    ['0-9:5', [0, 5]],
    ['1,5,7-9', [1, 5, 7, 8, 9]],
  ])('%s', (text, numbers) => {
    const range = toArrayRange(text);

    expect([...range.numbers()]).toEqual(numbers);
    expect(range.count).toBe(numbers.length);
  });

  it('is not kept in memory, however long', () => {
    expect(toArrayRange('1-9000000000').count).toBe(9_000_000_000);
  });

  it.each(['', 'a', '1-', '-3', '3-1', '1-5:0', '1--5', '1-99999999999999999'])(
    'is not "%s"',
    (text) => {
      expect(() => toArrayRange(text)).toThrow(/is no range|goes backwards|has a step of 0/);
    },
  );
});
