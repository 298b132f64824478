import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBase64Bytes, toBase64 } from './base64.ts';

describe('base64', () => {
  it('gives every bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(findBase64Bytes(toBase64(bytes))).toEqual(bytes);
      }),
    );
  });

  it('encodes the part of a buffer that is meant, not the buffer', () => {
    const part = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);

    expect(toBase64(part)).toBe('AgM=');
  });

  it.each(['AgM=', 'AgM', '-_8=', '+/8='])(
    'reads %s, whatever its alphabet and padding',
    (text) => {
      expect(findBase64Bytes(text)).toHaveLength(2);
    },
  );

  it.each(['A', 'AAAAA', 'A=B=', '===', 'ä', 'AA AA', 'AAAA\n'])('refuses %j', (text) => {
    expect(findBase64Bytes(text)).toBeNull();
  });
});
