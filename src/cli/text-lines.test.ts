import { describe, expect, it } from 'vitest';
import { createLinePrefixer } from './line-prefixer.ts';
import { readTextLines } from './text-lines.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function linesOf(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { number, text } of readTextLines(chunks, 'stdin'))
    lines.push(`${number}:${text}`);
  return lines;
}

describe('the lines of a stream', () => {
  it.each([1, 2, 3, 100])('come whole, wherever its pieces of %d bytes end', async (size) => {
    expect(await linesOf(inPieces('ä\r\n\nb c\nlast', size))).toEqual(['1:ä', '3:b c', '4:last']);
  });

  it('must be UTF-8, and the line at fault is named', async () => {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(0x61, 0x0a, 0xff, 0x0a);
    }

    await expect(linesOf(bytes())).rejects.toThrow('stdin, line 2: it is not UTF-8 text.');
  });
});

describe('a prefix', () => {
  it('stands before each line, wherever the pieces end', () => {
    let text = '';
    const lines = createLinePrefixer('> ', (bytes) => {
      text += Buffer.from(bytes).toString();
    });

    for (const piece of ['a', 'b\nc', '\n\nd']) lines.write(Buffer.from(piece));
    lines.end();

    expect(text).toBe('> ab\n> c\n> \n> d\n');
  });
});
