import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConfigSources, FlagError, loadConfig } from './config.ts';
import { CONFIG_FIELDS } from './config-schema.ts';
import { StartError } from './start-error.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'batchyard-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

async function load(sources: Partial<ConfigSources> & { yaml?: string } = {}) {
  const { yaml, ...rest } = sources;
  if (yaml !== undefined) writeFileSync(join(cwd, 'batchyard.yaml'), yaml);
  return loadConfig({ flags: {}, environment: {}, file: null, cwd, ...rest });
}

async function problemOf(sources: Parameters<typeof load>[0]): Promise<string> {
  try {
    await load(sources);
  } catch (error) {
    if (error instanceof StartError || error instanceof FlagError) return error.message;
    throw error;
  }
  throw new Error('The configuration was taken.');
}

describe('the order of sources', () => {
  const yaml = 'listen: 127.0.0.1:1\nnode:\n  slots: 1\n';

  it('is default, when nobody says anything', async () => {
    const { config, file } = await load();

    expect(config.listen).toEqual({ host: '127.0.0.1', port: 7700 });
    expect(config.store).toEqual({ kind: 'sqlite', file: join(cwd, 'batchyard.db') });
    expect(config.node.graceMs).toBe(30_000);
    expect(file).toBeNull();
  });

  it('puts the file before the default', async () => {
    expect((await load({ yaml })).config.listen.port).toBe(1);
  });

  it('puts the environment before the file', async () => {
    const environment = { BATCHYARD_LISTEN: '127.0.0.1:2', BATCHYARD_NODE_SLOTS: '2' };

    const { config } = await load({ yaml, environment });

    expect([config.listen.port, config.node.slots]).toEqual([2, 2]);
  });

  it('puts the flag before all others', async () => {
    const environment = { BATCHYARD_LISTEN: '127.0.0.1:2' };

    const { config } = await load({ yaml, environment, flags: { listen: '3' } });

    expect(config.listen).toEqual({ host: '127.0.0.1', port: 3 });
  });

  it('is told for each value', async () => {
    const { effective } = await load({
      yaml,
      environment: { BATCHYARD_NAMESPACE: 'team' },
      flags: { store: 'memory' },
    });

    expect(Object.fromEntries(effective.map(({ path, origin }) => [path, origin]))).toMatchObject({
      store: '--store',
      namespace: 'BATCHYARD_NAMESPACE',
      listen: 'batchyard.yaml:1:1',
      'node.slots': 'batchyard.yaml:3:3',
      log: 'default',
    });
  });

  it('takes an empty variable for one that is not set', async () => {
    expect((await load({ environment: { BATCHYARD_TOKEN: '' } })).config.token).toBeNull();
  });
});

describe('a bad configuration', () => {
  it.each([
    ['sotre: memory', 'batchyard.yaml:1:1: unknown key "sotre". Did you mean "store"?'],
    ['node:\n  slot: 3', 'batchyard.yaml:2:3: unknown key "slot" in "node". Did you mean "slots"?'],
    ['listen: 7700\nfrobnicate: 1', 'batchyard.yaml:2:1: unknown key "frobnicate".'],
    [
      'listen: nowhere',
      'batchyard.yaml:1:1: "nowhere" is not HOST:PORT, for example 127.0.0.1:7700.',
    ],
    ['node: {slots: none}', 'batchyard.yaml:1:8: "none" is not a whole number from 1 to 10000.'],
    ['allowRoot: perhaps', 'batchyard.yaml:1:1: "perhaps" is not true or false.'],
    ['- listen', 'batchyard.yaml:1:1: expected settings as "name: value".'],
  ])('%j is answered with what is wrong, and where', async (yaml, problem) => {
    expect(await problemOf({ yaml })).toBe(problem);
  });

  it('says what a section may hold', async () => {
    expect(await problemOf({ yaml: 'node: 3' })).toMatch(
      /^batchyard.yaml:1:1: "node" holds settings of its own: name, slots, /,
    );
  });

  it('names line and column of a fault in the YAML', async () => {
    expect(await problemOf({ yaml: 'listen: [1\n' })).toMatch(/^batchyard.yaml:2:1: /);
  });

  it('tells all problems at once', async () => {
    const problems = await problemOf({ yaml: 'sotre: x\nlisten: y' });

    expect(problems.split('\n')).toHaveLength(2);
  });

  it('names the variable at fault', async () => {
    expect(await problemOf({ environment: { BATCHYARD_NODE_GRACE: '30' } })).toBe(
      'BATCHYARD_NODE_GRACE: "30" is not a duration. Use for example 500ms, 30s, 10m, 1h30m, 7d.',
    );
  });

  it('is a fault of the command line when a flag is wrong', async () => {
    await expect(load({ flags: { 'node.slots': '0' } })).rejects.toThrow(FlagError);
    expect(await problemOf({ flags: { 'node.slots': '0' } })).toMatch(/^--slots: "0" is not/);
  });

  it('names a file that is not there', async () => {
    expect(await problemOf({ file: 'gone.yaml' })).toBe(
      'Configuration gone.yaml: There is no such file. Name another with --config FILE.',
    );
  });

  it.each(['postgres:u:secret@db/x', 'mongodb:u:secret@db/x', 'mysql://u:secret@db/x'])(
    'names no password of %s',
    async (store) => {
      const problem = await problemOf({ environment: { BATCHYARD_STORE: store } });

      expect(problem).toMatch(/^BATCHYARD_STORE: that is no /);
      expect(problem).not.toContain('secret');
    },
  );

  it('refuses an admin token that is easy to guess, and does not repeat it', async () => {
    const problem = await problemOf({ yaml: 'auth: {adminToken: hunter2}' });

    expect(problem).toContain('at least 16 characters');
    expect(problem).not.toContain('hunter2');
  });
});

describe('the result', () => {
  it('masks secrets', async () => {
    const { effective } = await load({
      flags: { token: 'my-secret' },
      yaml: 'auth: {adminToken: correct-horse-battery}',
    });

    expect(JSON.stringify(effective)).not.toMatch(/my-secret|correct-horse/);
    expect(effective.find(({ path }) => path === 'token')?.value).toBe('********');
  });

  it('is frozen, inside as well', async () => {
    const { config } = await load();

    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.node.queues)).toBe(true);
  });

  it('resolves paths from where they were written', async () => {
    writeFileSync(join(cwd, 'elsewhere.yaml'), 'store: sqlite:a.db');

    const { config } = await load({ file: join(cwd, 'elsewhere.yaml'), cwd: '/' });

    expect(config.store).toEqual({ kind: 'sqlite', file: join(cwd, 'a.db') });
  });

  it('looks for the server where the same file says it listens', async () => {
    expect((await load({ yaml: 'listen: 0.0.0.0:7800' })).config.server).toBe(
      'http://127.0.0.1:7800',
    );
    expect((await load({ yaml: 'listen: 7800\nserver: http://a:1/' })).config.server).toBe(
      'http://a:1',
    );
  });

  it('reads lists as lists and as text', async () => {
    expect((await load({ yaml: 'node: {queues: [a, b]}' })).config.node.queues).toEqual(['a', 'b']);
    expect((await load({ flags: { 'node.queues': 'a, b' } })).config.node.queues).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('every setting', () => {
  it('says what it means, and has a name in the environment', async () => {
    expect(CONFIG_FIELDS.filter(({ summary }) => !/^[A-Z].*\.$/.test(summary))).toEqual([]);
    expect(CONFIG_FIELDS.map(({ environment }) => environment)).toContain(
      'BATCHYARD_AUTH_ADMIN_TOKEN',
    );
  });
});
