import { describe, expect, it } from 'vitest';
import { formatSize, parseSize } from './size.ts';

describe('a size', () => {
  it.each([
    ['0', 0],
    ['1024', 1024],
    ['16MiB', 16_777_216],
    ['1.5KiB', 1536],
    ['1KB', 1000],
    ['1kB', 1000],
    ['2GB', 2_000_000_000],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'MiB', '16 MiB', '-1', '16TiB', '1e3', '16mib'])('"%s" is none', (text) => {
    expect(parseSize(text)).toBeNull();
  });

  it('is shown in the unit that suits it', () => {
    expect([5, 1536, 16_777_216, 3 * 2 ** 30].map(formatSize)).toEqual([
      '5B',
      '1.5KiB',
      '16MiB',
      '3GiB',
    ]);
  });
});
