import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Data, decodeData, encodeData, Float, Tuple, Uuid } from './data.ts';
import type { Json } from './json.ts';

const { value: anyData } = fc.letrec<{ value: Data }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((n) => (Object.is(n, -0) ? 0 : n)),
    fc.bigInt().filter((n) => n > Number.MAX_SAFE_INTEGER || n < Number.MIN_SAFE_INTEGER),
    fc.double({ noNaN: true, noInteger: true, noDefaultInfinity: true }).filter((n) => n % 1 !== 0),
    fc.constantFrom(2, -0, 1e300, Number.POSITIVE_INFINITY, Number.NaN).map((n) => new Float(n)),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('$x', '__proto__', '\u0000', ''),
    fc.uint8Array(),
    fc.uuid().map((text) => new Uuid(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => new Tuple(items)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(
        fc.tuple(
          fc.oneof(fc.string(), fc.constantFrom('$a', '$$', '__proto__', '7', 'constructor')),
          tie('value'),
        ),
        { maxLength: 4 },
      )
      .map((pairs) => new Map(pairs)),
    fc
      .array(fc.tuple(fc.oneof(fc.integer(), fc.uint8Array({ minLength: 1 })), tie('value')), {
        maxLength: 3,
      })
      .map((pairs) => new Map<Data, Data>(pairs)),
  ),
}));

describe('data', () => {
  it('comes back as it was sent, through JSON text', () => {
    fc.assert(
      fc.property(anyData, (value) => {
        const text = JSON.stringify(encodeData(value));

        expect(decodeData(JSON.parse(text))).toStrictEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the order of map keys, whole numbers included', () => {
    const map = new Map<Data, Data>([
      ['b', 1],
      ['1', 2],
      ['a', 3],
    ]);

    expect([...(decodeData(encodeData(map)) as Map<Data, Data>).keys()]).toEqual(['b', '1', 'a']);
  });

  it('leaves plain JSON as it is', () => {
    const plain = new Map<Data, Data>([
      ['item', 'a.jpg'],
      ['size', 3],
    ]);

    expect(encodeData(plain)).toEqual({ item: 'a.jpg', size: 3 });
  });

  it.each<Json>([{ $bytes: '!' }, { $int: '1.5' }, { $float: 'x' }, { $map: [[1]] }, { $nope: 1 }])(
    'refuses %j with what would be right',
    (json) => {
      expect(() => decodeData(json)).toThrowError(/\$/);
    },
  );
});
