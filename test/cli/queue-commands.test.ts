import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openYard } from './support/yard.ts';

describe('queue create', () => {
  it('makes a queue whose program is what follows --program, up to the next option', async () => {
    await using yard = await openYard();

    const { code, out } = await yard.run([
      ...['queue', 'create', 'hello', '--program', 'echo', 'Hello, {item}!'],
      ...['--priority', '5', '--max-running', '2', '--max-run', '10m'],
    ]);

    expect(code).toBe(0);
    expect(out).toBe("Created queue hello, which runs echo 'Hello, {item}!'.\n");
    expect(await yard.engine.queues.get('hello')).toMatchObject({
      program: { argv: ['echo', 'Hello, {item}!'], cwd: yard.folder, env: {} },
      priority: 5,
      maxRunning: 2,
      maxRunMs: 600_000,
    });
  });

  it.each([
    ['queue create q --program -- ls -l {item}', ['ls', '-l', '{item}']],
    ['queue create --program ls {item} -- q', ['ls', '{item}']],
    ['queue create q --program ls {item} --env A=1', ['ls', '{item}']],
  ])('reads the program of "%s"', async (line, argv) => {
    await using yard = await openYard();

    expect((await yard.sh(line)).err).toBe('');

    expect((await yard.engine.queues.get('q')).program?.argv).toEqual(argv);
  });

  it('makes the path of a program absolute, so that nodes find it', async () => {
    await using yard = await openYard();
    const script = join(yard.folder, 'thumb.sh');
    writeFileSync(script, '#!/bin/sh\n');
    chmodSync(script, 0o755);

    await yard.sh('queue create thumbs --program ./thumb.sh {item}');

    expect((await yard.engine.queues.get('thumbs')).program?.argv).toEqual([script, '{item}']);
  });

  it.each([
    ['--program ./gone.sh', '--program: there is no file "FOLDER/gone.sh".'],
    ['--program ./plain.txt', '--program: "FOLDER/plain.txt" may not be executed. Try chmod +x'],
    ['--program no-such-program', '--program: "no-such-program" is not in PATH.'],
    ['--program sh -c', 'Unknown option "-c". If it belongs to the program, write: --program --'],
    ['--program -- sh -c {item}', '--program: the shell would run what params hold.'],
    ['--program', '--program: say what to run.'],
    ['--env A=1', '--cwd and --env belong to a program: add --program.'],
    ['--priority high', '--priority: "high" is not a whole number.'],
    ['--on-lost requeu', '"requeu" is none of requeue, park, fail. Did you mean "requeue"?'],
    ['extra words', 'Too many arguments: extra words'],
  ])('refuses %s, and says what would be right', async (options, problem) => {
    await using yard = await openYard();
    writeFileSync(join(yard.folder, 'plain.txt'), '');

    const { code, out, err } = await yard.sh(`queue create q ${options}`);

    expect(err.replaceAll(yard.folder, 'FOLDER')).toContain(problem);
    expect([code, out]).toEqual([2, '']);
  });

  it('sets anything a queue can have', async () => {
    await using yard = await openYard();

    await yard.run([
      ...['queue', 'create', 'q', '--handler', 'h', '--paused', '--weight', '3', '--order', 'lifo'],
      ...['--limit', 'a=tenant:5', '--limit', 'b=host:100/1m', '--max-attempts', 'none'],
      ...['--retry-base', '5s', '--retry-max', '1m', '--lease', '1m', '--on-lost', 'park'],
      ...['--nodes-only', 'a,b', '--nodes-not', 'c', '--gated', '--continuous', '--interval', '1h'],
      ...['--next-queue', 'r', '--keep', '1d', '--keep-failed', 'none', '--max-output', '1MiB'],
      ...['--max-running-per-node', '1', '--max-losses', '9', '--max-claims', '8'],
      ...['--max-per-claim', '7', '--data', '{"x": 1}'],
    ]);

    expect(await yard.engine.queues.get('q')).toMatchObject({
      handler: 'h',
      paused: true,
      weight: 3,
      order: 'lifo',
      limits: [
        { name: 'a', by: 'tenant', max: 5, perMs: null },
        { name: 'b', by: 'host', max: 100, perMs: 60_000 },
      ],
      maxAttempts: null,
      retry: { baseMs: 5000, factor: 2, maxMs: 60_000 },
      leaseMs: 60_000,
      onLost: 'park',
      nodesOnly: ['a', 'b'],
      nodesNot: ['c'],
      admission: 'gated',
      continuous: true,
      canBeContinuous: true,
      intervalMs: 3_600_000,
      nextQueue: 'r',
      retention: { succeededMs: 86_400_000, failedMs: null },
      maxOutputBytes: 1_048_576,
      maxRunningPerNode: 1,
      maxLosses: 9,
      maxClaims: 8,
      maxPerClaim: 7,
      data: { x: 1 },
    });
  });

  it('refuses a name that is taken, unless it may replace the queue', async () => {
    await using yard = await openYard();
    await yard.sh('queue create q --priority 1 --weight 2');

    const refused = await yard.sh('queue create q');
    const replaced = await yard.sh('queue create q --replace --priority 3');

    expect([refused.code, refused.err]).toEqual([
      1,
      'Queue "q" exists already in namespace "default".\n',
    ]);
    expect([replaced.code, replaced.out]).toEqual([0, 'Set queue q.\n']);
    expect(await yard.engine.queues.get('q')).toMatchObject({ priority: 3, weight: 20 });
  });
});

describe('queue set', () => {
  it('changes what is said and keeps the rest', async () => {
    await using yard = await openYard();
    await yard.sh('queue create q --retry-base 5s --max-running 3 --program ls');

    const { out } = await yard.sh(
      'queue set q --retry-max 1m --max-running none --without-program',
    );

    expect(out).toBe('Changed maxRunning, retry, program of queue q.\n');
    expect(await yard.engine.queues.get('q')).toMatchObject({
      retry: { baseMs: 5000, factor: 2, maxMs: 60_000 },
      maxRunning: null,
      program: null,
    });
  });

  it('wants to be told what to change', async () => {
    await using yard = await openYard();
    await yard.sh('queue create q');

    expect((await yard.sh('queue set q')).code).toBe(2);
  });
});

describe('queues', () => {
  it('are listed and shown as people read them', async () => {
    await using yard = await openYard();
    await yard.sh('queue create mail --handler send --max-running 3 --keep 1d');
    await yard.sh('queue create b --paused');
    await yard.sh('submit mail --array 1-3');

    const list = await yard.sh('queue list');
    const show = await yard.sh('queue show mail');

    expect(list.out).toBe(
      [
        'QUEUE  STATE   WAITING  RUNNING  SUCCEEDED  FAILED  PRIORITY  RUNS',
        'b      paused        0        0          0       0         0  -',
        'mail   open          3        0          0       0         0  handler send',
        '',
      ].join('\n'),
    );
    expect(show.out.replace(/ {2}created .*\n/, '')).toBe(
      [
        'mail',
        '  state        open',
        '  runs         handler send',
        '  max running  3',
        '  tries        at most 3',
        '  keeps        succeeded 1d, failed 30d',
        '',
        'Tasks',
        '  queued  3',
        '',
      ].join('\n'),
    );
  });

  it('are JSON for programs', async () => {
    await using yard = await openYard();
    await yard.sh('queue create a');
    await yard.sh('queue create b');

    const { json } = await yard.sh('queue list --json');

    expect(json).toMatchObject([
      { name: 'a', counts: { queued: 0 } },
      { name: 'b', counts: { queued: 0 } },
    ]);
  });

  it('pause, resume and go', async () => {
    await using yard = await openYard();
    await yard.sh('queue create a');
    await yard.sh('queue create b');
    await yard.sh('submit a --item x');

    expect((await yard.sh('queue pause a b')).out).toBe('Paused queue a.\nPaused queue b.\n');
    expect((await yard.engine.queues.get('b')).paused).toBe(true);
    expect((await yard.sh('queue resume b')).out).toBe('Resumed queue b.\n');
    expect((await yard.engine.queues.get('b')).paused).toBe(false);

    const full = await yard.sh('queue delete a');
    expect([full.code, full.err]).toEqual([
      2,
      'Queue "a" holds 1 task: say --tasks delete or --tasks keep.\n',
    ]);
    expect((await yard.sh('queue delete a --tasks delete')).out).toBe(
      'Deleted queue a; 1 task deleted.\n',
    );
    expect(await yard.engine.queues.find('a')).toBeNull();
  });

  it('that do not exist are answered with the nearest that does', async () => {
    await using yard = await openYard();
    await yard.sh('queue create thumbs');

    const { code, err } = await yard.sh('queue show thumb');

    expect([code, err]).toEqual([
      1,
      'No queue "thumb" in namespace "default". Did you mean "thumbs"?\n',
    ]);
  });

  it('are invited when there are none', async () => {
    await using yard = await openYard();

    const { code, out, err } = await yard.sh('queue list');

    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('batchyard queue create hello');
  });
});
