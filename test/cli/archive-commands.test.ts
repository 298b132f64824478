import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editOne, seedStore } from './support/archive-seed.ts';
import { runCommand } from './support/command-line.ts';
import { temporaryFolder } from './support/program.ts';
import { openYard } from './support/yard.ts';

const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder.path, name);
const run = (...argv: string[]) => runCommand(argv, { cwd: folder.path });

beforeAll(async () => {
  await seedStore(inFolder('yard.db'), { tasks: 50, outputs: 2, chunks: 3 });
  await seedStore(inFolder('live.db'), { tasks: 4, isLive: true });
});
afterAll(() => folder[Symbol.dispose]());

const SEEDED = { namespace: 'default', queue: 'work', tasks: 50, attempts: 50 };

describe('batchyard copy', () => {
  it('copies one store to another and shows that both hold the same', async () => {
    const { code, out, err } = await run(
      ...['copy', '--from', 'sqlite:yard.db', '--to', 'sqlite:copied.db'],
    );

    expect(out).toMatch(/default +work +50 +50 +1.5MiB +[0-9a-f]{12} +same/);
    expect(err).toMatch(/^Copied 50 tasks to sqlite:.*copied\.db, in /);
    expect(code).toBe(0);
  });

  it('puts nothing twice, and tells all of it as JSON', async () => {
    const argv = ['copy', '--from', 'sqlite:yard.db', '--to', 'sqlite:twice.db', '--json'];
    await run(...argv);

    const { code, json } = await run(...argv);

    expect(code).toBe(0);
    expect(json).toMatchObject([
      {
        ...{ put: 0, there: 50, refused: [], isSame: true },
        queues: [{ isSame: true, source: SEEDED, destination: SEEDED }],
      },
    ]);
  });

  it('ends with 1 when the two sides differ, and shows both', async () => {
    const argv = ['copy', '--from', 'sqlite:copied.db', '--to', 'sqlite:edited.db'];
    await run(...argv);
    await editOne(inFolder('edited.db'));

    const { code, out, err } = await run(...argv);

    expect(code).toBe(1);
    expect(out).toMatch(/[0-9a-f]{12} \/ [0-9a-f]{12} +DIFFERS/);
    expect(err).toContain('The two stores differ');
  });

  it('refuses while tasks are running, and says what to do', async () => {
    const { code, err } = await run('copy', '--from', 'sqlite:live.db', '--to', 'sqlite:no.db');

    expect(code).toBe(2);
    expect(err).toMatch(/^1 task in sqlite:.*live\.db is claimed or running: say --drain/);
  });

  it.each([
    [['--from', 'sqlite:yard.db'], /^--to is missing/],
    [['--from', 'sqlite:none.db', '--to', 'sqlite:x.db'], /there is no file .*none\.db/],
    [['--from', 'sqlite:yard.db', '--to', 'sqlite:./yard.db'], /^--to: that is the store to copy/],
    [['--from', 'yard.db', '--to', 'sqlite:x.db'], /^--from: that is no store/],
    [['--from', 'sqlite:yard.db', '--to', 'memory'], /a store in memory ends with its process/],
    [['--from', 'sqlite:yard.db', '--to', 'sqlite:x.db', '-n', 'nobody'], /^No namespace "nobody"/],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await run('copy', ...argv);

    expect(err).toMatch(message);
    expect(code).toBeGreaterThan(0);
    expect(existsSync(inFolder('none.db'))).toBe(false);
  });
});

describe('batchyard backup and restore', () => {
  it.each(['plain.ndjson', 'packed.ndjson.gz', 'file.db'])(
    'bring everything back from %s',
    async (file) => {
      const saved = await run('backup', '--store', 'sqlite:yard.db', file, '--json');
      expect(saved.json).toMatchObject([{ bytes: statSync(inFolder(file)).size }]);
      const [, kind] = /^(\w+)/.exec(file) ?? [];

      const { code, json } = await run(
        ...['restore', file, '--store', `sqlite:from-${kind}.db`, '--json'],
      );

      expect(code).toBe(0);
      expect(json).toMatchObject([
        { put: 50, isWhole: true, queues: [{ isSame: true, destination: SEEDED }] },
      ]);
      const same = await run('copy', '--from', 'sqlite:yard.db', '--to', `sqlite:from-${kind}.db`);
      expect([same.code, same.out]).toEqual([0, expect.stringContaining('same')]);
    },
  );

  it('back up a store whose server is running; copy and restore tell whose it is', async () => {
    const store = `sqlite:${inFolder('served.db')}`;
    await using yard = await openYard({ settings: { store } });
    await yard.engine.queues.create('q');
    await yard.engine.tasks.submit('q', [{ params: 1 }]);

    for (const file of ['served.ndjson', 'served-copy.db']) {
      expect((await run('backup', '--store', store, file)).err).toBe('');
    }
    // The header's mark of a database that is one file, without a log beside it.
    expect(readFileSync(inFolder('served-copy.db'))[18]).toBe(1);
    for (const file of ['served.ndjson', 'served-copy.db']) {
      expect((await run('restore', file, '--store', `sqlite:${file}.out.db`)).code).toBe(0);
    }

    const refused = await run('copy', '--from', store, '--to', 'sqlite:y.db');
    expect(refused.code).toBe(3);
    expect(refused.err).toMatch(/served\.db is in use by this process\. Stop this process first/);
    const file = await run('restore', 'served.ndjson', '--store', store, '--merge');
    expect(file.err).toContain('is in use by this process');
    expect(existsSync(inFolder('served.ndjson.snapshot'))).toBe(false);
  });

  it('restore live tasks as waiting ones', async () => {
    await run('backup', '--store', 'sqlite:live.db', 'live.ndjson');
    expect((await run('restore', 'live.ndjson', '--store', 'sqlite:calm.db')).code).toBe(0);

    const { code, out } = await run('copy', '--from', 'sqlite:calm.db', '--to', 'sqlite:z.db');

    expect([code, out]).toEqual([0, expect.stringContaining('same')]);
  });

  it('replace no file unless told to, and never the store', async () => {
    await run('backup', '--store', 'sqlite:yard.db', 'once.ndjson');

    const again = await run('backup', '--store', 'sqlite:yard.db', 'once.ndjson');
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('say --force')]);
    expect((await run('backup', '--store', 'sqlite:yard.db', 'once.ndjson', '--force')).code).toBe(
      0,
    );
    const own = await run('backup', '--store', 'sqlite:yard.db', 'yard.db', '--force');
    expect([own.code, own.err]).toEqual([2, expect.stringContaining('that is the store itself')]);
  });

  it('restore into an empty store only, or add what it lacks', async () => {
    await run('backup', '--store', 'sqlite:yard.db', 'full.ndjson');
    await run('restore', 'full.ndjson', '--store', 'sqlite:full.db');

    const refused = await run('restore', 'full.ndjson', '--store', 'sqlite:full.db');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('say --merge')]);
    const merged = await run(
      'restore',
      'full.ndjson',
      '--store',
      'sqlite:full.db',
      '--merge',
      '--json',
    );
    expect([merged.code, merged.json]).toMatchObject([0, [{ put: 0, there: 50 }]]);
  });
});

describe('batchyard restore of a bad file', () => {
  let lines: string[];
  beforeAll(async () => {
    await run('backup', '--store', 'sqlite:yard.db', 'good.ndjson');
    await run('backup', '--store', 'sqlite:yard.db', 'good.ndjson.gz');
    lines = readFileSync(inFolder('good.ndjson'), 'utf8').split('\n');
  });
  const put = (at: number, line: string) => (): string => lines.with(at, line).join('\n');
  const DAMAGES: Record<
    string,
    readonly [make: () => string | Buffer, message: RegExp, name?: string]
  > = {
    'a file that is cut between lines': [
      () => `${lines.slice(0, 20).join('\n')}\n`,
      /line 21: the file ends before its last line/,
    ],
    'a file that is cut within a line': [
      () => lines.slice(0, 20).join('\n').slice(0, -5),
      /line 20: the file ends before its last line/,
    ],
    'a packed file that is cut': [
      () => readFileSync(inFolder('good.ndjson.gz')).subarray(0, 900),
      /cannot be read to its end/,
      'bad.ndjson.gz',
    ],
    'a broken line': [put(6, '{"kind":"task",'), /line 7: that is not a JSON document/],
    'a line of the wrong shape': [
      put(6, '{"kind":"task","task":{"id":"x"}}'),
      /line 7: task\.id: is no id/,
    ],
    'a changed value': [
      () => lines.join('\n').replace('"priority":0', '"priority":1'),
      /the hash differs/,
    ],
    'a lost line': [() => lines.toSpliced(6, 1).join('\n'), /records were written, \d+ are there/],
    'a later version': [
      () => put(0, (lines[0] ?? '').replace('"version":1', '"version":2'))(),
      /line 1: the backup is of version 2, this program reads 1/,
    ],
    'another kind of file': [() => '{"a":1}\n', /line 1: that is no backup/],
    'no JSON at all': [() => 'hello\n', /line 1: that is not a JSON document/],
    'an empty file': [() => '', /the file is empty/],
  };

  it.each(Object.keys(DAMAGES))('refuses %s and leaves the store as it was', async (name) => {
    const [make, message, file = 'bad.ndjson'] = DAMAGES[name] ?? [];
    writeFileSync(inFolder(file), make?.() ?? '');

    const { code, err } = await run('restore', file, '--store', 'sqlite:untouched.db');

    expect(err).toMatch(message ?? /never/);
    expect(code).toBe(2);
    expect(existsSync(inFolder('untouched.db'))).toBe(false);
  });

  it('refuses a file that is not there', async () => {
    const { code, err } = await run('restore', 'gone.ndjson', '--store', 'sqlite:x2.db');

    expect([code, err]).toEqual([2, expect.stringContaining('there is no such file')]);
  });
});
