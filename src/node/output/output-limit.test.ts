import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOutputLimit } from './output-limit.ts';
import type { OutputPiece } from './output-piece.ts';

function feed(maxBytes: number, writes: readonly (readonly ['stdout' | 'stderr', string])[]) {
  const limit = createOutputLimit(maxBytes);
  const head = writes.flatMap(([stream, text]) => limit.take(stream, Buffer.from(text)) ?? []);
  return { head, ...limit.end() };
}

function textOf(pieces: readonly OutputPiece[]): string {
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
}

it('keeps everything up to the limit, the second half held back until the end', () => {
  const { head, tail, droppedBytes } = feed(10, [['stdout', '0123456789']]);

  expect(textOf(head)).toBe('01234');
  expect(textOf(tail)).toBe('56789');
  expect(droppedBytes).toBe(0);
});

it('drops the middle, and counts what it dropped in the offsets', () => {
  const { head, tail, droppedBytes } = feed(10, [
    ['stdout', '01234567'],
    ['stdout', '89abcdef'],
  ]);

  expect(textOf(head)).toBe('01234');
  expect(textOf(tail)).toBe('bcdef');
  expect(tail[0]?.offset).toBe(11);
  expect(droppedBytes).toBe(6);
});

it('counts offsets for each stream', () => {
  const { tail } = feed(4, [
    ['stdout', 'aa'],
    ['stderr', 'bbbb'],
    ['stdout', 'c'],
  ]);

  expect(tail.map(({ stream, offset, bytes }) => [stream, offset, bytes.length])).toEqual([
    ['stderr', 3, 1],
    ['stdout', 2, 1],
  ]);
});

it('begins the tail with a whole character', () => {
  const { tail, droppedBytes } = feed(8, [['stdout', `aaaa€€€`]]);

  expect(textOf(tail)).toBe('€');
  expect(droppedBytes).toBe(6);
});

it('keeps nothing when nothing is to be kept', () => {
  expect(feed(0, [['stdout', 'gone']])).toEqual({ head: [], tail: [], droppedBytes: 4 });
});

it('keeps head and tail of any writes, in order, and accounts for every byte', () => {
  const write = fc.tuple(
    fc.constantFrom('stdout' as const, 'stderr' as const),
    fc.string({ maxLength: 50 }),
  );
  fc.assert(
    fc.property(fc.array(write), fc.integer({ min: 0, max: 300 }), (writes, maxBytes) => {
      const { head, tail, droppedBytes } = feed(maxBytes, writes);

      const all = Buffer.concat(writes.map(([, text]) => Buffer.from(text)));
      const kept = Buffer.concat([...head, ...tail].map(({ bytes }) => bytes));
      const headLength = head.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(kept.length + droppedBytes).toBe(all.length);
      expect(kept.length).toBeLessThanOrEqual(maxBytes);
      expect(kept.subarray(0, headLength)).toEqual(all.subarray(0, headLength));
      expect(kept.subarray(headLength)).toEqual(
        all.subarray(all.length - kept.length + headLength),
      );
    }),
  );
});
