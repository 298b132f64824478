import { expect, it } from 'vitest';
import { continuationLength, wholeCharactersLength } from './utf8-boundary.ts';

it.each(['a', 'é', '€', '🙂'])(
  'keeps a whole character and leaves out a part of one: %s',
  (char) => {
    const bytes = Buffer.from(`x${char}`);

    expect(wholeCharactersLength(bytes)).toBe(bytes.length);
    for (let cut = 1; cut < bytes.length - 1; cut += 1) {
      expect(wholeCharactersLength(bytes.subarray(0, 1 + cut))).toBe(1);
    }
  },
);

it('takes bytes that are no UTF-8 as they are', () => {
  expect(wholeCharactersLength(Uint8Array.of(0xff, 0xff))).toBe(2);
  expect(wholeCharactersLength(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe(4);
  expect(wholeCharactersLength(Uint8Array.of(0xc0))).toBe(1);
  expect(wholeCharactersLength(new Uint8Array())).toBe(0);
});

it('counts the leading bytes of a character that began before', () => {
  expect(continuationLength(Buffer.from('🙂x').subarray(1))).toBe(3);
  expect(continuationLength(Buffer.from('x'))).toBe(0);
});
