import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/source-files.ts';
import { type Program, runProgram, startProgram, temporaryFolder } from './support/program.ts';

const FREE_PORT = ['--listen', '127.0.0.1:0'];
/** Where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

async function urlOf(program: Program): Promise<string> {
  const [, url = ''] = await program.seen(/(http:\/\/127\.0\.0\.1:\d+)/);
  return url;
}

describe('batchyard up', () => {
  it('says where it is, where its data are, and what to try next', async () => {
    using folder = temporaryFolder();
    await using up = startProgram(['up', ...FREE_PORT], { cwd: folder.path });

    const url = await urlOf(up);
    await up.seen(/batchyard submit hello --array 1-10 --wait/);

    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    up.kill('SIGTERM');
    const { out } = await up.ended;
    expect(out).toContain(`store      sqlite:${join(folder.path, 'batchyard.db')}\n`);
    expect(out).toContain(`--program echo 'Hello, {item}!' --server ${url}\n`);
  });

  it('does what it told to try', async () => {
    using folder = temporaryFolder();
    await using up = startProgram(['up', '--store', 'memory', ...FREE_PORT], { cwd: folder.path });
    const environment = { BATCHYARD_SERVER: await urlOf(up) };
    const run = (...argv: string[]) => runProgram(argv, { cwd: folder.path, environment });

    await run('queue', 'create', 'hello', '--program', 'echo', 'Hello, {item}!');
    const submitted = await run('submit', 'hello', '--array', '1-10', '--wait');
    const listed = await run('task', 'list', '--limit', '1', '--json');
    const { id } = JSON.parse(listed.out) as { id: string };

    expect(submitted).toMatchObject({
      code: 0,
      out: 'Submitted 10 tasks to hello.\nAll 10 tasks succeeded.\n',
    });
    expect((await run('task', 'output', id)).out).toBe('Hello, 10!\n');
  });

  it('finishes running tasks after SIGTERM, takes no more, and ends with 0', async () => {
    using folder = temporaryFolder();
    await using up = startProgram(['up', ...FREE_PORT], { cwd: folder.path });
    const environment = { BATCHYARD_SERVER: await urlOf(up) };
    const run = (...argv: string[]) => runProgram(argv, { cwd: folder.path, environment });
    const begun = join(folder.path, 'begun');
    const done = join(folder.path, 'done');
    const script = `touch ${begun}; sleep 1; touch ${done}`;
    await run('queue', 'create', 'slow', '--program', '--', 'sh', '-c', script);
    await run('submit', 'slow');
    await eventually('the task runs', () => existsSync(begun));

    up.kill('SIGTERM');

    expect((await up.ended).code).toBe(0);
    expect(existsSync(done)).toBe(true);
  });

  it('does not wait for them after a second signal, and ends with 130', async () => {
    using folder = temporaryFolder();
    await using up = startProgram(['up', ...FREE_PORT], { cwd: folder.path });
    const environment = { BATCHYARD_SERVER: await urlOf(up) };
    const run = (...argv: string[]) => runProgram(argv, { cwd: folder.path, environment });
    const begun = join(folder.path, 'begun');
    const script = `touch ${begun}; exec sleep 1000`;
    await run('queue', 'create', 'slow', '--program', '--', 'sh', '-c', script);
    await run('submit', 'slow');
    await eventually('the task runs', () => existsSync(begun));

    up.kill('SIGINT');
    // The node says it heard the first one; a second before that would be lost in it.
    await eventually('it stops', async () => {
      const { out } = await run('node', 'list', '--json');
      return out.includes('"mode":"TERMINATE"');
    });
    up.kill('SIGINT');

    expect((await up.ended).code).toBe(130);
  });

  it('keeps its data for the next start', async () => {
    using folder = temporaryFolder();
    for (const expected of ['', 'kept']) {
      await using up = startProgram(['up', ...FREE_PORT], { cwd: folder.path });
      const environment = { BATCHYARD_SERVER: await urlOf(up) };
      const listed = await runProgram(['queue', 'list'], { cwd: folder.path, environment });
      expect(listed.out).toContain(expected);
      await runProgram(['queue', 'create', 'kept'], { cwd: folder.path, environment });
      up.kill('SIGTERM');
      expect((await up.ended).code).toBe(0);
    }
  });
});

describe('a start that cannot be', () => {
  it('names the port that is in use, and ends with 3', async () => {
    using folder = temporaryFolder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };

    const { code, out, err } = await runProgram(
      ['serve', '--store', 'memory', '--listen', `127.0.0.1:${port}`],
      { cwd: folder.path },
    );
    other.close();

    expect([code, out]).toEqual([3, '']);
    expect(err).toBe(
      `Cannot start: listen: port ${port} is in use. Stop the other server or use --listen.\n`,
    );
  });

  it('names the server that owns the file, and ends with 3', async () => {
    using folder = temporaryFolder();
    await using up = startProgram(['up', ...FREE_PORT], { cwd: folder.path });
    await urlOf(up);

    const { code, err } = await runProgram(['serve', ...FREE_PORT], { cwd: folder.path });

    expect(code).toBe(3);
    expect(err).toMatch(/batchyard\.db is in use by process \d+\. Use its server instead/);
  });

  it.each([
    [
      ['--listen', '0.0.0.0:0', '--store', 'memory'],
      {},
      /there are no access tokens: make one first/,
    ],
    [['--store', 'sqlite:/gone/x.db'], {}, /there is no directory \/gone/],
    [[], { BATCHYARD_STORE: 'postgres:secret' }, /^BATCHYARD_STORE: that is no address/],
    [
      [],
      { BATCHYARD_STORE: 'postgres://u:secret@127.0.0.1:1/d' },
      /no answer from postgres:\/\/u@/,
    ],
    [
      [],
      { BATCHYARD_STORE: 'mongodb://u:secret@127.0.0.1:1/d?serverSelectionTimeoutMS=200' },
      /mongodb:127\.0\.0\.1:1\/d did not answer/,
    ],
    [
      ['--config', 'bad.yaml'],
      {},
      /^bad\.yaml:1:1: unknown key "stroe"\. Did you mean "store"\?\n$/,
    ],
  ])('%j ends with 3 and one sentence', async (argv, environment, problem) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'bad.yaml'), 'stroe: memory\n');

    const { code, out, err } = await runProgram(['serve', ...argv], {
      cwd: folder.path,
      environment,
    });

    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(problem);
    expect(err.split('\n')).toHaveLength(2);
    expect(err).not.toContain('secret');
  });

  it('is wrong usage when the command line is at fault', async () => {
    using folder = temporaryFolder();

    const { code, err } = await runProgram(['up', '--listen', 'nowhere'], { cwd: folder.path });

    expect(code).toBe(2);
    expect(err).toBe('--listen: "nowhere" is not HOST:PORT, for example 127.0.0.1:7700.\n');
  });
});

describe('a server for other machines', () => {
  it('starts with an admin token, and lets nobody in without one', async () => {
    using folder = temporaryFolder();
    const secret = 'correct-horse-battery';
    await using server = startProgram(['serve', '--store', 'memory', '--listen', '0.0.0.0:0'], {
      cwd: folder.path,
      environment: { BATCHYARD_AUTH_ADMIN_TOKEN: secret },
    });
    const url = await urlOf(server);
    const run = (environment: Record<string, string>) =>
      runProgram(['queue', 'list'], {
        cwd: folder.path,
        environment: { BATCHYARD_SERVER: url, ...environment },
      });

    expect((await run({})).code).toBe(3);
    expect((await run({ BATCHYARD_TOKEN: 'wrong' })).code).toBe(3);
    expect((await run({ BATCHYARD_TOKEN: secret })).code).toBe(0);
  });
});

describe('batchyard node', () => {
  it('works for a server across the network', async () => {
    using folder = temporaryFolder();
    await using server = startProgram(['serve', '--store', 'memory', ...FREE_PORT], {
      cwd: folder.path,
    });
    const environment = { BATCHYARD_SERVER: await urlOf(server) };
    const run = (...argv: string[]) => runProgram(argv, { cwd: folder.path, environment });
    const start = () =>
      startProgram(['node', '--name', 'far', '--allow-root'], { cwd: folder.path, environment });
    await using node = start();
    await node.seen(/Node far works for http/);

    await run('queue', 'create', 'q', '--program', 'true');
    const submitted = await run('submit', 'q', '--array', '1-3', '--wait', '--timeout', '30s');
    expect(submitted.code).toBe(0);

    await using second = start();
    const { code, err } = await second.ended;
    expect(code).toBe(3);
    expect(err).toMatch(/A node named "far" is live already/);

    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
  });

  it('says that no server answers, and ends with 3', async () => {
    using folder = temporaryFolder();

    const { code, err } = await runProgram(['node', '--allow-root', '--server', NOWHERE], {
      cwd: folder.path,
    });

    expect([code, err]).toEqual([
      3,
      `No server answers at ${NOWHERE}. Start it with: batchyard up\n`,
    ]);
  });

  it.runIf(process.getuid?.() === 0)('runs no programs as root unless told so', async () => {
    using folder = temporaryFolder();

    const { code, err } = await runProgram(['node', '--server', NOWHERE], { cwd: folder.path });

    expect(code).toBe(3);
    expect(err).toContain('--allow-root');
  });
});

describe('the program', () => {
  it('says that no server answers, and ends with 3', async () => {
    using folder = temporaryFolder();
    const environment = { BATCHYARD_SERVER: NOWHERE };

    const text = await runProgram(['queue', 'list'], { cwd: folder.path, environment });
    const json = await runProgram(['queue', 'list', '--json'], { cwd: folder.path, environment });

    expect(text).toEqual({
      code: 3,
      out: '',
      err: `No server answers at ${NOWHERE}. Start it with: batchyard up\n`,
    });
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: 'SERVER_UNREACHABLE' } });
  });

  it('ends quietly when its reader has seen enough', async () => {
    using folder = temporaryFolder();
    const program = join(ROOT, 'dist/cli/main.js');

    const { stdout, stderr } = spawnSync(
      'bash',
      [
        '-c',
        `"${process.execPath}" "${program}" queue create --help | head -1; echo \${PIPESTATUS[0]}`,
      ],
      { cwd: folder.path, encoding: 'utf8' },
    );

    expect(stdout).toMatch(/^Usage: .*\n0\n$/);
    expect(stderr).toBe('');
  });
});
