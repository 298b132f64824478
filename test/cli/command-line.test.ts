import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../../src/cli/completion-scripts.ts';
import { longName } from '../../src/cli/option.ts';
import { runCommand } from './support/command-line.ts';
import { openYard } from './support/yard.ts';

describe('a command line', () => {
  it.each([
    ['quee list', 'Unknown command "quee". Did you mean "batchyard queue"?\n'],
    ['queue lits', 'Unknown command "queue lits". Did you mean "batchyard queue list"?\n'],
    ['node lits --json', 'Did you mean \\"batchyard node list\\"?'],
    ['--json tsk list', 'Did you mean \\"batchyard task\\"?'],
    ['frobnicate', 'Unknown command "frobnicate". See: batchyard --help\n'],
    ['queue list --jsn', 'Unknown option "--jsn". Did you mean --json?\n'],
    ['queue show', 'Missing required argument "queue".\n'],
    ['version 3', 'Too many arguments'],
  ])('"%s" that cannot be is answered with what was likely meant', async (line, problem) => {
    const { code, out, err } = await runCommand(line.split(' '));

    expect(err).toContain(problem);
    expect([code, out]).toEqual([2, '']);
  });

  it('without words shows help, and half a command shows what is missing', async () => {
    const whole = await runCommand([]);
    const half = await runCommand(['queue']);

    expect([whole.code, whole.err]).toEqual([0, '']);
    expect(whole.out).toMatch(/^Usage: batchyard <command>[\s\S]*Exit codes: 0 ok/);
    expect([half.code, half.out]).toEqual([2, '']);
    expect(half.err).toMatch(/^Usage: batchyard queue <command>[\s\S]*create /);
  });

  it('help says the same as --help, of a command too', async () => {
    for (const words of [[], ['submit']]) {
      const { code, out } = await runCommand(['help', ...words]);
      expect([code, out]).toEqual([0, (await runCommand([...words, '--help'])).out]);
    }
  });

  it('takes global options before the command and after it', async () => {
    expect((await runCommand(['--json', 'version'])).json).toEqual([{ version: '1.2.3' }]);
    expect((await runCommand(['version', '--json'])).json).toEqual([{ version: '1.2.3' }]);
  });
});

describe('every command', () => {
  it.each(COMMANDS.filter(({ isHidden }) => !isHidden).map(({ name }) => [name]))(
    '%s has help that says what it does',
    async (name) => {
      const { code, out } = await runCommand([...name.split(' '), '--help']);

      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^Usage: batchyard ${name}`));
    },
  );

  it('has options that no other option hides', () => {
    for (const { name, options } of COMMANDS) {
      const names = Object.values(options).map(({ flags }) => longName(flags));
      expect([name, new Set(names).size]).toEqual([name, names.length]);
      const globals = ['--json', '--quiet', '--server', '--token', '--namespace', '--config'];
      expect([name, names.filter((one) => globals.includes(one))]).toEqual([name, []]);
    }
  });
});

describe('config check', () => {
  it('prints each value and where it comes from, and no secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'batchyard-cli-'));
    writeFileSync(join(folder, 'batchyard.yaml'), 'listen: 127.0.0.1:7800\n');

    const { code, json, err } = await runCommand(['config', 'check', '--json', '--slots', '3'], {
      cwd: folder,
      environment: { BATCHYARD_TOKEN: 'my-secret', BATCHYARD_SLOTS: '4' },
    });
    rmSync(folder, { recursive: true });

    expect(code).toBe(0);
    expect(json).toContainEqual({ path: 'node.slots', value: '3', origin: '--slots' });
    expect(json).toContainEqual({ path: 'token', value: '********', origin: 'BATCHYARD_TOKEN' });
    expect(json).toContainEqual({
      path: 'listen',
      value: '127.0.0.1:7800',
      origin: 'batchyard.yaml:1:1',
    });
    expect(err).toContain('BATCHYARD_SLOTS, which means nothing. Did you mean');
  });
});

describe('completion', () => {
  it.each(
    SHELLS.filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0).map((one) => [one]),
  )('is a script that %s can read', (shell) => {
    const { status, stderr } = spawnSync(shell, ['-n'], {
      input: COMPLETION_SCRIPTS[shell],
      encoding: 'utf8',
    });

    expect([status, stderr]).toEqual([0, '']);
  });

  it('completes in bash', async () => {
    const words = 'quiet\nqueue\n';
    const script = [
      `batchyard() { printf '${words.replaceAll('\n', '\\tmeaning\\n')}'; }`,
      COMPLETION_SCRIPTS.bash,
      'COMP_WORDS=(batchyard que); COMP_CWORD=1; _batchyard; declare -p COMPREPLY',
    ].join('\n');

    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toContain(
      'COMPREPLY=([0]="queue")',
    );
  });

  const wordsAfter = async (line: string, environment = {}) => {
    const { out } = await runCommand(['__complete', '--', ...line.split(' ')], { environment });
    return out.split('\n').map((row) => row.split('\t')[0]);
  };

  it('knows commands, options and choices', async () => {
    expect(await wordsAfter('q')).toContain('queue');
    expect(await wordsAfter('queue ')).toEqual(
      expect.arrayContaining(['create', 'list', 'show', 'set', 'pause', 'resume', 'delete']),
    );
    expect(await wordsAfter('queue create x --')).toEqual(
      expect.arrayContaining(['--program', '--max-running', '--json', '--help']),
    );
    expect(await wordsAfter('queue create x --order ')).toEqual(['fifo', 'lifo', 'key', '']);
    expect(await wordsAfter('completion ')).toEqual(['bash', 'zsh', 'fish', '']);
    expect(await wordsAfter('submit q --each-line ')).toEqual([':file', '']);
  });

  it('asks the server for the names of queues and nodes', async () => {
    await using yard = await openYard({ hasNode: true });
    await yard.sh('queue create mail');
    const environment = { BATCHYARD_SERVER: yard.url };

    expect(await wordsAfter('queue show ', environment)).toEqual(['mail', '']);
    expect(await wordsAfter('task list --queue ', environment)).toEqual(['mail', '']);
    expect(await wordsAfter('node drain ', environment)).toEqual(['n1', '']);
  });

  it('says nothing when no server answers', async () => {
    const environment = { BATCHYARD_SERVER: 'http://127.0.0.1:1' };

    expect(await wordsAfter('queue show ', environment)).toEqual(['']);
  });
});
