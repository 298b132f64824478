import { describe, expect, it } from 'vitest';
import type { OutputStream } from '../core/index.ts';
import { LINES_PER_BLOCK, LONGEST_LINE, MOST_LINES, OutputLines } from './output-lines.ts';

const AT = new Date('2026-03-01T12:00:00Z');

function write(
  lines: OutputLines,
  text: string | Uint8Array,
  stream: OutputStream = 'stdout',
): void {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  lines.add({ stream, bytes, at: AT });
}

function texts(lines: OutputLines): string[] {
  return lines.blocks.flatMap((block) =>
    block.lines.map(({ stream, spans }) => `${stream}: ${spans.map(({ text }) => text).join('')}`),
  );
}

describe('OutputLines', () => {
  it('makes lines of chunks, wherever these were cut', () => {
    const lines = new OutputLines();
    const bytes = new TextEncoder().encode('größe\nnext\n');

    for (const byte of bytes) write(lines, Uint8Array.of(byte));

    expect(texts(lines)).toEqual(['stdout: größe', 'stdout: next']);
  });

  it('keeps streams apart, each going on with its own line', () => {
    const lines = new OutputLines();

    write(lines, 'one ');
    write(lines, 'trouble\n', 'stderr');
    write(lines, 'two\n');

    expect(texts(lines)).toEqual(['stdout: one two', 'stderr: trouble']);
  });

  it('shows the last state of a line that is written over', () => {
    const lines = new OutputLines();

    write(lines, ' 10%\r 50%');
    write(lines, '\r100%\r\ndone');

    expect(texts(lines)).toEqual(['stdout: 100%', 'stdout: done']);
  });

  it('takes back what a backspace takes back', () => {
    const lines = new OutputLines();

    write(lines, 'ab\bc\b\b\b\bx');

    expect(texts(lines)).toEqual(['stdout: x']);
  });

  it('keeps the last lines only, and says how many went', () => {
    const lines = new OutputLines();

    for (let count = 1; count <= MOST_LINES + 250; count += 1) write(lines, `${count}\n`);

    expect(lines.lineCount).toBe(MOST_LINES + 250);
    expect(lines.droppedCount).toBe(300);
    expect(texts(lines)).toHaveLength(MOST_LINES - 50);
    expect(texts(lines).at(-1)).toBe(`stdout: ${MOST_LINES + 250}`);
  });

  it('cuts endless lines, and says by how much', () => {
    const lines = new OutputLines();

    for (let count = 0; count < 10; count += 1) write(lines, 'x'.repeat(LONGEST_LINE));

    const [line] = lines.blocks[0]?.lines ?? [];
    expect(line?.spans[0]?.text).toHaveLength(LONGEST_LINE);
    expect(line?.cut).toBe(9 * LONGEST_LINE);
  });

  it('stays small when every line is as long as a line can be', () => {
    const lines = new OutputLines();

    for (let count = 0; count < MOST_LINES; count += 1) write(lines, `${'x'.repeat(5000)}\n`);

    const kept = texts(lines).reduce((sum, text) => sum + text.length, 0);
    expect(kept).toBeLessThan(2_500_000);
    expect(texts(lines).length).toBeGreaterThan(LINES_PER_BLOCK);
  });

  it('stays small when every letter has a colour of its own', () => {
    const lines = new OutputLines();

    for (let count = 0; count < 2000; count += 1) write(lines, `\u001b[${30 + (count % 8)}mx`);

    expect(lines.blocks[0]?.lines[0]?.spans.length).toBeLessThanOrEqual(200);
    expect(texts(lines)).toEqual([`stdout: ${'x'.repeat(2000)}`]);
  });

  it('changes the version of a block with every change inside it', () => {
    const lines = new OutputLines();
    write(lines, 'a');
    const [before] = lines.blocks.map(({ version }) => version);

    write(lines, 'b');

    expect(lines.blocks[0]?.version).toBeGreaterThan(before ?? 0);
  });
});
