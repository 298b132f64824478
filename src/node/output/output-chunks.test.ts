import { expect, it } from 'vitest';
import { LARGEST_CHUNK_BYTES, splitPiece, toChunks } from './output-chunks.ts';
import type { OutputPiece } from './output-piece.ts';

function piece(stream: OutputPiece['stream'], offset: number, text: string): OutputPiece {
  return { stream, offset, bytes: Buffer.from(text) };
}

it('joins neighbours of one stream, and numbers what comes out', () => {
  const chunks = toChunks(
    [
      piece('stdout', 0, 'ab'),
      piece('stdout', 2, 'c'),
      piece('stderr', 0, 'x'),
      piece('stdout', 3, 'd'),
    ],
    7,
  );

  expect(chunks).toEqual([
    { number: 7, stream: 'stdout', offset: 0, bytes: Uint8Array.from(Buffer.from('abc')) },
    { number: 8, stream: 'stderr', offset: 0, bytes: Uint8Array.from(Buffer.from('x')) },
    { number: 9, stream: 'stdout', offset: 3, bytes: Uint8Array.from(Buffer.from('d')) },
  ]);
});

it('does not join across bytes that were dropped', () => {
  expect(toChunks([piece('stdout', 0, 'ab'), piece('stdout', 9, 'c')], 1)).toHaveLength(2);
});

it('makes no chunk larger than the largest', () => {
  const text = 'x'.repeat(40_000);
  const chunks = toChunks([piece('stdout', 0, text), piece('stdout', 40_000, text)], 1);

  expect(chunks.map(({ bytes }) => bytes.length)).toEqual([40_000, 40_000]);
});

it('splits a large piece between characters', () => {
  const parts = splitPiece(piece('stdout', 5, '€'.repeat(50_000)));

  expect(parts.map(({ offset }) => offset)).toEqual([5, 5 + 65_535, 5 + 131_070]);
  for (const { bytes } of parts) {
    expect(bytes.length).toBeLessThanOrEqual(LARGEST_CHUNK_BYTES);
    expect(Buffer.from(bytes).toString()).toMatch(/^€+$/);
  }
});
