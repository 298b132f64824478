import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ended, openProgramYard } from './program-yard.ts';
import { openScriptFolder } from './script-folder.ts';

describe('a program', () => {
  it('gets its task as JSON on stdin and the ids in its environment', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'show',
      'cat; echo "$BATCHYARD_NAMESPACE $BATCHYARD_QUEUE $BATCHYARD_TASK $BATCHYARD_KEY"; echo "$BATCHYARD_FENCE $BATCHYARD_ATTEMPT $BATCHYARD_NODE"',
    );
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work', {
      key: 'k1',
      params: { a: [1, 'ü'] },
      labels: { x: 'y' },
    });
    const task = await ended(yard, id);

    expect(task).toMatchObject({ state: 'succeeded', code: 0, result: null });
    const [json, names, numbers] = (await yard.outputOf(id, 'stdout')).toString().split('\n');
    expect(JSON.parse(json as string)).toEqual({
      id,
      namespace: 'default',
      queue: 'work',
      key: 'k1',
      params: { a: [1, 'ü'] },
      labels: { x: 'y' },
      priority: 0,
      fence: 1,
      attempt: 1,
      round: 0,
      maxRunMs: null,
    });
    expect(names).toBe(`default work ${id} k1`);
    expect(numbers).toBe('1 1 node-1');
  });

  it('finds nothing else of the node in its environment', async () => {
    using folder = openScriptFolder();
    const program = { ...folder.script('show', 'env'), env: { COLOR: 'blue' } };
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work');
    await ended(yard, id);

    const lines = (await yard.outputOf(id)).toString().trim().split('\n');
    const names = lines.map((line) => line.split('=')[0]);
    const ours = names.filter((name) => !name?.startsWith('BATCHYARD_'));
    // PWD, _ and the like are the shell's own.
    expect(
      ours.filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name ?? '')).sort(),
    ).toEqual(['COLOR', 'LC_ALL', 'PATH']);
    expect(lines.join('\n')).not.toContain('canary');
  });

  it('fails with its exit code, and the last words it wrote to stderr', async () => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(
      folder.script('fail', 'echo "disk is full" >&2; exit 3'),
    );

    const task = await ended(yard, await yard.submit('work'));

    expect(task).toMatchObject({
      state: 'failed',
      code: 3,
      error: 'The program exited with code 3: disk is full',
    });
  });

  it('fails with the signal that killed it', async () => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(folder.script('die', 'kill -SEGV $$'));

    const task = await ended(yard, await yard.submit('work'));

    expect(task).toMatchObject({
      state: 'failed',
      code: 139,
      error: 'The program was killed by SIGSEGV.',
    });
  });

  it('that does not read its input does not fail for it', async () => {
    await using yard = await openProgramYard({ argv: ['true'], cwd: null, env: {} });

    const task = await ended(yard, await yard.submit('work', { params: 'x'.repeat(500_000) }));

    expect(task.state).toBe('succeeded');
  });

  it('is tried again as the queue says', async () => {
    using folder = openScriptFolder();
    const program = folder.script('flaky', 'test "$BATCHYARD_ATTEMPT" = 2');
    const retry = { baseMs: 1, factor: 1, maxMs: 1 };
    await using yard = await openProgramYard(program, { maxAttempts: 3, retry });

    const task = await ended(yard, await yard.submit('work'));

    expect(task).toMatchObject({ state: 'succeeded', tryCount: 2 });
  });

  it('is never taken ahead: only as many are claimed as there are slots', async () => {
    using folder = openScriptFolder();
    const program = folder.script('wait', 'while [ ! -e go ]; do sleep 0.02; done');
    await using yard = await openProgramYard(
      program,
      {},
      { slots: 2, handlers: { quick: () => null } },
    );
    await yard.engine.queues.create('quick');
    await yard.engine.tasks.submit('quick', Array(50).fill({}));
    await yard.engine.tasks.wait({ filter: { queues: ['quick'] }, timeoutMs: 5000 });

    await yard.engine.tasks.submit('work', Array(6).fill({}));
    await eventually(
      'two run',
      async () => (await yard.engine.queues.countsOf('work')).running === 2,
    );
    folder.write('go', 'now');
    await eventually('all ended', async () => {
      const counts = await yard.engine.queues.countsOf('work');
      expect(counts.running).toBeLessThanOrEqual(2);
      return counts.succeeded === 6;
    });
  });
});

describe('a program that cannot be started', () => {
  it.each([
    [
      'is not there',
      '/no/such/program',
      null,
      'The program "/no/such/program" is not there on node "node-1".',
    ],
    [
      'is not in PATH',
      'no-such-program',
      null,
      'The program "no-such-program" is not there on node "node-1".',
    ],
    [
      'has no folder',
      'true',
      '/no/such/folder',
      'Its folder "/no/such/folder" is not there on node "node-1".',
    ],
    [
      'may not be executed',
      'FOLDER/plain',
      null,
      'The program "FOLDER/plain" may not be executed on node "node-1".',
    ],
  ])('since it %s fails the task for good', async (_, command, cwd, error) => {
    using folder = openScriptFolder();
    folder.write('plain', 'text');
    const place = (text: string): string => text.replace('FOLDER', folder.path);
    const program = { argv: [place(command)], cwd, env: {} };
    await using yard = await openProgramYard(program, { maxAttempts: 5 });

    const task = await ended(yard, await yard.submit('work'));

    expect(task).toMatchObject({ state: 'failed', tryCount: 1, error: place(error) });
  });

  it('since its arguments are too long says so', async () => {
    await using yard = await openProgramYard({ argv: ['echo', '{item}'], cwd: null, env: {} });

    const task = await ended(yard, await yard.submit('work', { params: 'x'.repeat(200_000) }));

    expect(task).toMatchObject({ state: 'failed', tryCount: 1 });
    expect(task.error).toContain('more arguments than the system takes');
  });
});
