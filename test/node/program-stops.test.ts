import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ended, openProgramYard } from './program-yard.ts';
import { isAlive, openScriptFolder, type ScriptFolder } from './script-folder.ts';
import { openFakeYard, outcomesOf } from './yard.ts';

/**
 * Ignores SIGTERM and forks a child that does too; their pids go to a file each. They end with
 * their folder at the latest, so that a failing test leaves nothing running.
 */
const STUBBORN = `
trap '' TERM
sh -c 'trap "" TERM; echo $$ > child; while [ -e child ]; do sleep 0.1; done' &
echo $$ > parent
while [ -e parent ]; do sleep 0.1; done`;

const QUICK = { renewMs: 50, killGraceMs: 300 };

async function pidsOf(folder: ScriptFolder, ...names: readonly string[]): Promise<number[]> {
  return eventually('the program runs', () => {
    const pids = names.map((name) => Number(folder.read(name)));
    return pids.every((pid) => pid > 0) && pids;
  });
}

describe('a program that is cancelled', () => {
  it('gets SIGTERM first and may end in its own way', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'polite',
      "trap 'echo cleaned up; exit 0' TERM; echo $$ > parent; while [ -e parent ]; do sleep 0.05; done",
    );
    await using yard = await openProgramYard(program, {}, { ...QUICK, killGraceMs: 10_000 });
    const id = await yard.submit('work');
    await pidsOf(folder, 'parent');

    await yard.engine.tasks.cancel(id);
    const task = await ended(yard, id);

    expect(task.state).toBe('terminated');
    expect((await yard.outputOf(id)).toString()).toContain('cleaned up');
  });

  it('is killed with all its children when it ignores SIGTERM, and ended only then', async () => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(folder.script('stubborn', STUBBORN), {}, QUICK);
    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'parent', 'child');

    await yard.engine.tasks.cancel(id);
    await eventually('it was told to stop', () => yard.logsOf('attempt.stopping').length > 0);
    expect(pids.every(isAlive)).toBe(true);
    const task = await ended(yard, id);

    expect(pids.some(isAlive)).toBe(false);
    expect(task).toMatchObject({ state: 'terminated', code: 137 });
    expect(task.error).toBe('Stopped on request. The program was killed by SIGKILL.');
  });
});

describe('a program that runs too long', () => {
  it('is stopped, and has timed out', async () => {
    using folder = openScriptFolder();
    const program = folder.script('stubborn', STUBBORN);
    await using yard = await openProgramYard(program, { maxRunMs: 300 }, QUICK);

    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'parent', 'child');
    const task = await ended(yard, id);

    expect(pids.some(isAlive)).toBe(false);
    expect(task.state).toBe('failed');
    expect(await outcomesOf(yard.engine, id)).toEqual(['timed-out']);
  });
});

describe('a program whose lease is lost', () => {
  it('is killed at once, and nothing more is written of it', async () => {
    using folder = openScriptFolder();
    const program = folder.script('stubborn', STUBBORN);
    await using yard = await openProgramYard(
      program,
      { onLost: 'park' },
      { ...QUICK, killGraceMs: 60_000 },
    );
    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'parent', 'child');

    await yard.engine.attempts.renew([{ taskId: id, fence: null, leaseMs: 0 }]);
    await eventually('they are gone', () => !pids.some(isAlive));

    expect(await outcomesOf(yard.engine, id)).toEqual(['orphaned']);
    expect(yard.line.callsOf('attempts.settle')).toEqual([]);
    expect(yard.logsOf('attempt.lost')).toHaveLength(1);
  });

  it('is told to stop, and killed, before the lease ends when no renewal gets through', async () => {
    using folder = openScriptFolder();
    await using yard = await openFakeYard();
    const program = folder.script('stubborn', STUBBORN);
    await yard.engine.queues.create('work', { program, leaseMs: 30_000 });
    await yard.startNode({ programs: true, environment: process.env });
    const id = await yard.submit('work');
    await yard.clock.settle();
    const pids = await pidsOf(folder, 'parent', 'child');

    yard.line.cut('both');
    await yard.clock.advance(28_700);
    expect(pids.every(isAlive)).toBe(true);
    await yard.clock.advance(100);
    await eventually('they are gone', () => !pids.some(isAlive));

    expect(await outcomesOf(yard.engine, id)).toEqual([null]);
    expect(yard.logsOf('attempt.lost')).toHaveLength(1);
  });

  it('that shows when it writes is killed too', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'chatty',
      'echo $$ > parent; while [ -e parent ]; do echo line; sleep 0.05; done',
    );
    await using yard = await openProgramYard(program, { onLost: 'park' }, { renewMs: 60_000 });
    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'parent');

    await yard.engine.attempts.renew([{ taskId: id, fence: null, leaseMs: 0 }]);
    await eventually('it is gone', () => !pids.some(isAlive));

    expect(yard.line.callsOf('attempts.settle')).toEqual([]);
  });
});

describe('a node that stops', () => {
  it('stops its programs and hands their tasks back, uncounted', async () => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(folder.script('stubborn', STUBBORN));
    const node = await yard.startNode({ name: 'node-2', programs: true, ...QUICK, graceMs: 100 });
    await yard.engine.nodes.set('node-1', { wish: 'cordon' });
    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'parent', 'child');
    const [attempt] = await yard.engine.attempts.list(id);
    expect(attempt?.node).toBe('node-2');

    await node.stop();

    expect(pids.some(isAlive)).toBe(false);
    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'queued', tryCount: 0 });
    expect(await outcomesOf(yard.engine, id)).toEqual(['released']);
  });
});

describe('what a program leaves behind', () => {
  it('is stopped before the attempt ends', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'leaver',
      'sh -c \'trap "" TERM; echo $$ > child; while [ -e child ]; do sleep 0.1; done\' &\nwhile [ ! -s child ]; do sleep 0.01; done; exit 0',
    );
    await using yard = await openProgramYard(program, {}, QUICK);

    const id = await yard.submit('work');
    const pids = await pidsOf(folder, 'child');
    const task = await ended(yard, id);

    expect(task.state).toBe('succeeded');
    expect(pids.some(isAlive)).toBe(false);
    expect((await yard.outputOf(id, 'system')).toString()).toContain('left behind');
  });

  it('may finish writing first', async () => {
    using folder = openScriptFolder();
    await using yard = await openProgramYard(folder.script('tail', '(sleep 0.2; echo the end) &'));

    const id = await yard.submit('work');
    await ended(yard, id);

    expect((await yard.outputOf(id)).toString()).toBe('the end\n');
  });

  it('cannot keep the attempt open by holding its output from another group', async () => {
    using folder = openScriptFolder();
    const program = folder.script(
      'daemon',
      "setsid sh -c 'echo $$ > daemon; exec sleep 60' &\nwhile [ ! -s daemon ]; do sleep 0.01; done; echo started",
    );
    await using yard = await openProgramYard(program);

    const id = await yard.submit('work');
    const [pid] = await pidsOf(folder, 'daemon');
    const task = await ended(yard, id);
    process.kill(pid as number, 'SIGKILL');

    expect(task.state).toBe('succeeded');
    expect((await yard.outputOf(id, 'stdout')).toString()).toBe('started\n');
    expect((await yard.outputOf(id, 'system')).toString()).toContain('still holds its output');
  });
});
