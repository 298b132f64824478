import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OutputChunk } from '../../src/core/index.ts';
import { eventually } from '../support/eventually.ts';
import { ended, openProgramYard } from './program-yard.ts';
import { openScriptFolder } from './script-folder.ts';
import type { Yard } from './yard.ts';

const MIB = 1024 * 1024;

async function readAll(yard: Yard, id: string): Promise<OutputChunk[]> {
  const chunks: OutputChunk[] = [];
  for (;;) {
    const after = chunks.at(-1)?.number ?? 0;
    const page = await yard.engine.outputs.read(id, { after, limitBytes: 4 * MIB });
    if (page.chunks.length === 0) return chunks;
    chunks.push(...page.chunks);
  }
}

function bytesOf(chunks: readonly OutputChunk[], stream = 'stdout'): Buffer {
  return Buffer.concat(chunks.filter((one) => one.stream === stream).map(({ bytes }) => bytes));
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('what a program writes', () => {
  it('can be read while it runs', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'talk',
      'echo begun; while [ ! -e go ]; do sleep 0.02; done; echo over',
    );
    await using yard = await openProgramYard(program);
    const id = await yard.submit('work');

    await eventually(
      'the first line',
      async () => (await yard.outputOf(id)).toString() === 'begun\n',
    );
    expect((await yard.engine.tasks.get(id)).state).toBe('running');
    folder.write('go', '');
    await ended(yard, id);

    expect((await yard.outputOf(id)).toString()).toBe('begun\nover\n');
  });

  it('comes back byte for byte, whatever the bytes', async () => {
    using folder = openScriptFolder();
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 256));
    folder.write('bytes', bytes);
    await using yard = await openProgramYard(folder.script('show', 'cat bytes; cat bytes >&2'));

    const id = await yard.submit('work');
    await ended(yard, id);

    const chunks = await readAll(yard, id);
    expect(digest(bytesOf(chunks))).toBe(digest(bytes));
    expect(digest(bytesOf(chunks, 'stderr'))).toBe(digest(bytes));
    expect(Math.max(...chunks.map((chunk) => chunk.bytes.length))).toBeLessThanOrEqual(65_536);
  });

  it('is numbered from 1 across its streams, with offsets within each', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'mix',
      'for i in 1 2 3; do echo out; sleep 0.15; echo err >&2; sleep 0.15; done',
    );
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work');
    await ended(yard, id);

    const chunks = await readAll(yard, id);
    expect(chunks.map(({ number }) => number)).toEqual(chunks.map((_, index) => index + 1));
    for (const stream of ['stdout', 'stderr']) {
      let offset = 0;
      for (const chunk of chunks.filter((one) => one.stream === stream)) {
        expect(chunk.offset).toBe(offset);
        offset += chunk.bytes.length;
      }
      expect(offset).toBe(12);
    }
  });

  it('cuts no character in two', async () => {
    using folder = openScriptFolder();
    const program = folder.script('euro', "yes '€' | tr -d '\\n' | head -c 300000");
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work');
    await ended(yard, id);

    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (const { bytes } of await readAll(yard, id))
      expect(() => decoder.decode(bytes)).not.toThrow();
  });

  it('loses its middle beyond what the queue keeps, and says how much: 50 MB', async () => {
    using folder = openScriptFolder();
    const total = 50_000_000;
    const program = folder.script(
      'flood',
      `echo head; yes 0123456789 | head -c ${total}; echo; echo tail`,
    );
    await using yard = await openProgramYard(program, { maxOutputBytes: 4 * MIB });
    const before = process.memoryUsage.rss();

    const id = await yard.submit('work');
    await ended(yard, id);

    const chunks = await readAll(yard, id);
    const kept = bytesOf(chunks);
    expect(kept.length).toBe(4 * MIB);
    expect(kept.toString('latin1', 0, 10)).toBe('head\n01234');
    expect(kept.toString('latin1', kept.length - 5)).toBe('tail\n');
    const written = 5 + total + 1 + 5;
    const note = bytesOf(chunks, 'system').toString();
    expect(note).toContain(`${written - kept.length} bytes dropped here`);
    const afterGap = chunks[chunks.findIndex(({ stream }) => stream === 'system') + 1];
    expect(afterGap?.offset).toBe(written - MIB);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * MIB);
  });

  it('waits in the pipe while the engine is slow', async () => {
    using folder = openScriptFolder();
    const program = folder.script('flood', 'head -c 3000000 /dev/zero; echo done > written');
    await using yard = await openProgramYard(program);
    const appends = yard.line.hold('outputs.append');

    const id = await yard.submit('work');
    await eventually('output arrives', () => yard.line.callsOf('outputs.append').length > 0);
    // Time enough to write all of it, were nobody holding it back.
    await eventually('a while', () => yard.line.callsOf('nodes.heartbeat').length > 2);
    expect(folder.read('written')).toBeNull();
    appends.letGo();
    await ended(yard, id);

    expect(folder.read('written')).toBe('done');
    expect(bytesOf(await readAll(yard, id)).length).toBe(3_000_000);
  });

  it('survives an engine that is away for a while', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'count',
      'for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; : > over',
    );
    await using yard = await openProgramYard(program, {}, { heartbeatMs: 100 });
    const id = await yard.submit('work');
    await eventually('output arrives', async () => (await yard.outputOf(id)).length > 0);

    yard.line.cut('both');
    const count = yard.line.callsOf('outputs.append').length;
    await eventually('it is tried', () => yard.line.callsOf('outputs.append').length > count);
    yard.line.mend();
    await ended(yard, id);

    expect((await yard.outputOf(id)).toString()).toBe('1\n2\n3\n4\n5\n6\n');
  });
});
