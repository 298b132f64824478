import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder } from './ordered-merge.ts';

function* inPieces(items: readonly number[], size: number): Generator<readonly number[], void> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

describe('inOrder', () => {
  it('gives the items of all sources in one order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer())),
        fc.integer({ min: 1, max: 4 }),
        (lists, size) => {
          const sources = lists.map((list) =>
            inPieces(
              list.toSorted((a, b) => a - b),
              size,
            ),
          );

          const merged = [...inOrder(sources, (a, b) => a - b)];

          expect(merged).toEqual(lists.flat().toSorted((a, b) => a - b));
        },
      ),
    );
  });

  it('reads no further than is taken', () => {
    let piecesRead = 0;
    function* counted(): Generator<readonly number[], void> {
      for (let item = 0; ; item += 2) {
        piecesRead += 1;
        yield [item, item + 1];
      }
    }

    const taken: number[] = [];
    for (const item of inOrder([counted()], (a, b) => a - b)) {
      taken.push(item);
      if (taken.length === 4) break;
    }

    expect(taken).toEqual([0, 1, 2, 3]);
    expect(piecesRead).toBe(2);
  });
});
