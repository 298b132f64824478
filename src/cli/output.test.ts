import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../core/index.ts';
import { createOutput, type OutputOptions, toJsonLine } from './output.ts';

function open(options: Partial<OutputOptions> & { isTTY?: boolean } = {}) {
  const written = { out: '', err: '' };
  let ms = 0;
  const pass = (by: number): void => {
    ms += by;
  };
  const clock: Clock = { ...systemClock, monotonicMs: () => ms };
  const stream = (name: 'out' | 'err') => ({
    isTTY: options.isTTY ?? false,
    columns: 40,
    write: (chunk: string | Uint8Array) => {
      written[name] += Buffer.from(chunk as string).toString();
    },
  });
  const out = createOutput({
    stdout: stream('out'),
    stderr: stream('err'),
    clock,
    isJson: false,
    isQuiet: false,
    hasColours: true,
    ...options,
  });
  return { out, written, pass };
}

const COLUMNS = [{ title: 'name', text: (row: { name: string }) => row.name }];

describe('output', () => {
  it('is data on stdout and everything else on stderr', () => {
    const { out, written } = open();

    out.print({ a: 1 }, 'one');
    out.note('note');
    out.problem('problem');

    expect(written).toEqual({ out: 'one\n', err: 'note\nproblem\n' });
  });

  it('is JSON, a document per line, when that is asked for', () => {
    const { out, written } = open({ isJson: true });

    out.print({ at: new Date(0), key: Uint8Array.of(255) }, 'one');
    const table = out.table(COLUMNS);
    table.add([{ name: 'a' }, { name: 'b' }]);
    table.end('nothing');
    out.problem('problem', { error: { message: 'problem' } });

    expect(written.out).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","key":{"$bytes":"/w=="}}\n{"name":"a"}\n{"name":"b"}\n',
    );
    expect(written.err).toBe('{"error":{"message":"problem"}}\n');
  });

  it('has colours on a terminal only', () => {
    expect(open({ isTTY: true }).out.paint('red', 'x')).toBe('\u001b[31mx\u001b[39m');
    expect(open().out.paint('red', 'x')).toBe('x');
    expect(open({ isTTY: true, hasColours: false }).out.paint('red', 'x')).toBe('x');
    expect(open({ isTTY: true, isJson: true }).out.paint('red', 'x')).toBe('x');
  });

  it('is no more than results and problems when it should be quiet', () => {
    const { out, written, pass } = open({ isQuiet: true });

    pass(60_000);
    out.note('note');
    out.progress().update(() => 'half');
    out.table(COLUMNS).end('nothing');
    out.problem('problem');

    expect(written).toEqual({ out: '', err: 'problem\n' });
  });

  it('gives bytes as they are, but nothing harmful to a terminal', () => {
    const plain = open();
    const terminal = open({ isTTY: true });

    for (const { out } of [plain, terminal]) out.bytes(Buffer.from('\u001b[2Jhello\n'));

    expect(plain.written.out).toBe('\u001b[2Jhello\n');
    expect(terminal.written.out).toBe('hello\n');
  });

  it('cannot steer a terminal by its JSON', () => {
    expect(toJsonLine({ a: '\u001b\u009b\u2028' })).toBe('{"a":"\\u001b\\u009b\\u2028"}');
  });
});

describe('progress', () => {
  it('is one line on a terminal, drawn anew at most ten times a second', () => {
    const { out, written, pass } = open({ isTTY: true });
    const progress = out.progress();

    progress.update(() => 'one');
    progress.update(() => 'two');
    pass(100);
    progress.update(() => 'three');
    out.print({}, 'result');

    expect(written.err).toBe('\r\u001b[2Kone\r\u001b[2Kthree\r\u001b[2K');
    expect(written.out).toBe('result\n');
  });

  it('is a plain line every ten seconds where there is no terminal', () => {
    const { out, written, pass } = open();
    const progress = out.progress();

    progress.update(() => 'at once');
    for (const text of ['2s', '4s', '6s', '8s', '10s', '12s']) {
      pass(2000);
      progress.update(() => text);
    }

    expect(written.err).toBe('2s\n12s\n');
  });

  it('is cut to the width of the terminal', () => {
    const { out, written } = open({ isTTY: true });

    out.progress().update(() => 'x'.repeat(100));

    expect(written.err).toBe(`\r\u001b[2K${'x'.repeat(38)}…`);
  });
});
