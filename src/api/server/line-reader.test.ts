import { describe, expect, it } from 'vitest';
import { readLines } from './line-reader.ts';

async function* piecesOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function read(pieces: AsyncIterable<Uint8Array>, longest = 100): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  let count = 0;
  for await (const lines of readLines(pieces, longest)) {
    for (const { number, bytes } of lines) {
      count += 1;
      expect(number).toBe(count);
      texts.push(bytes && Buffer.from(bytes).toString());
    }
  }
  return texts;
}

describe('readLines', () => {
  it('puts lines together however they were cut', async () => {
    expect(await read(piecesOf('a', 'b\nc', '', 'd\n', '\ne\nf', 'g'))).toEqual([
      'ab',
      'cd',
      '',
      'e',
      'fg',
    ]);
  });

  it('ends with the last line, whether it has an end or not', async () => {
    expect(await read(piecesOf('a\nb'))).toEqual(['a', 'b']);
    expect(await read(piecesOf('a\nb\n'))).toEqual(['a', 'b']);
    expect(await read(piecesOf(''))).toEqual([]);
  });

  it('gives null for a line beyond the limit, and the others as they are', async () => {
    expect(await read(piecesOf('ok\n12', '345\n12345\n123456', '7'), 5)).toEqual([
      'ok',
      '12345',
      '12345',
      null,
    ]);
  });

  it('holds nothing of a line that is too long', async () => {
    let mostHeld = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const before = process.memoryUsage().arrayBuffers;
      for (let piece = 0; piece < 600; piece++) {
        yield Buffer.alloc(1024 * 1024, 'x');
        mostHeld = Math.max(mostHeld, process.memoryUsage().arrayBuffers - before);
      }
    }

    expect(await read(endless(), 1024 * 1024)).toEqual([null]);
    expect(mostHeld).toBeLessThan(400 * 1024 * 1024);
  });
});
