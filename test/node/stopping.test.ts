import { describe, expect, it } from 'vitest';
import { openFakeYard, openRuns, outcomesOf, stateOf } from './yard.ts';

async function openBusyYard(tasks: number, options: { slots?: number } = {}) {
  const yard = await openFakeYard();
  await yard.engine.queues.create('work');
  const { runs, handler } = openRuns();
  const node = await yard.startNode({ slots: 2, handlers: { work: handler }, ...options });
  await yard.engine.tasks.submit('work', Array(tasks).fill({}));
  await yard.clock.advance(100);
  return { yard, runs, node };
}

describe('a node that is stopped', () => {
  it('takes no more tasks and lets the running ones finish', async () => {
    const { yard, runs, node } = await openBusyYard(3);
    await using _ = yard;

    const stopping = node.stop();
    await yard.clock.advance(20_000);
    expect(runs.map(({ stopped }) => stopped)).toEqual([null, null]);
    for (const run of runs) run.end();
    await yard.turnUntil(stopping);

    expect(await yard.engine.queues.countsOf('work')).toMatchObject({ succeeded: 2, queued: 1 });
    expect((await yard.engine.nodes.get('node-1')).active).toBe(false);
  });

  it('keeps its leases and its heartbeat while they finish', async () => {
    const { yard, runs, node } = await openBusyYard(1);
    await using _ = yard;

    const stopping = node.stop();
    await yard.clock.advance(29_000);

    expect(yard.line.callsOf('attempts.renew').length).toBeGreaterThanOrEqual(2);
    expect(await yard.engine.nodes.get('node-1')).toMatchObject({
      active: true,
      mode: 'TERMINATE',
    });
    runs[0]?.end();
    await yard.turnUntil(stopping);
  });

  it('stops what runs after the grace and hands it back, uncounted', async () => {
    const { yard, runs, node } = await openBusyYard(2);
    await using _ = yard;
    const id = runs[0]?.task.taskId as string;

    const stopping = node.stop();
    await yard.clock.advance(31_000);
    await stopping;

    expect(runs.map(({ stopped }) => stopped)).toEqual(['released', 'released']);
    expect(await outcomesOf(yard.engine, id)).toEqual(['released']);
    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'queued', tryCount: 0 });
  });

  it('does not wait when it is told twice', async () => {
    const { yard, runs, node } = await openBusyYard(2);
    await using _ = yard;

    const stopping = node.stop();
    await yard.clock.advance(1000);
    void node.stop();
    await yard.clock.settle();
    await stopping;

    expect(runs.map(({ stopped }) => stopped)).toEqual(['released', 'released']);
    expect(await yard.engine.queues.countsOf('work')).toMatchObject({ queued: 2, running: 0 });
  });

  it('hands back a task whose handler does not heed the signal', async () => {
    const { yard, runs, node } = await openBusyYard(1);
    await using _ = yard;
    const [run] = runs;
    if (run) run.isDeaf = true;

    await yard.turnUntil(Promise.all([node.stop(), node.stop()]));

    expect(await stateOf(yard.engine, run?.task.taskId as string)).toBe('queued');
    run?.end();
  });

  it('hands back claims that were under way', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const { runs, handler } = openRuns();
    const node = await yard.startNode({ handlers: { work: handler } });
    const claims = yard.line.hold('attempts.claim');
    const id = await yard.submit('work');
    await yard.clock.settle();
    expect(await stateOf(yard.engine, id)).toBe('running');

    const stopping = node.stop();
    claims.letGo();
    await yard.turnUntil(stopping);

    expect(runs).toEqual([]);
    expect(await stateOf(yard.engine, id)).toBe('queued');
    expect(await outcomesOf(yard.engine, id)).toEqual(['released']);
  });

  it('finds out what a claim was given whose answer was lost', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const node = await yard.startNode({ handlers: { work: () => null } });
    yard.line.cut('after', ['attempts.claim']);
    const id = await yard.submit('work');
    await yard.clock.settle();
    expect(await stateOf(yard.engine, id)).toBe('running');

    yard.line.mend();
    await yard.turnUntil(node.stop());

    expect(await stateOf(yard.engine, id)).toBe('queued');
  });

  it('finds out what an aborted claim was given', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const node = await yard.startNode({ handlers: { work: () => null } });
    const claims = yard.line.hold('attempts.claim');
    const id = await yard.submit('work');
    await yard.clock.settle();
    expect(await stateOf(yard.engine, id)).toBe('running');

    const stopping = node.stop();
    yard.line.loseNextAnswer('attempts.claim');
    claims.letGo();
    await yard.turnUntil(stopping);

    expect(await stateOf(yard.engine, id)).toBe('queued');
  });

  it('comes to an end even if the engine is away, and says what it left', async () => {
    const { yard, runs, node } = await openBusyYard(2);
    await using _ = yard;
    yard.line.cut('both');

    const stopping = node.stop();
    for (const run of runs) run.end();
    await yard.turnUntil(stopping);

    expect(yard.logsOf('node.left-behind').map(({ fields }) => fields)).toMatchObject([
      { running: 0, unsettled: 2 },
    ]);
    const count = yard.line.calls.length;
    await yard.clock.advance(60_000);
    expect(yard.line.calls).toHaveLength(count);
  });

  it('before it starts, never starts', async () => {
    await using yard = await openFakeYard();
    const node = yard.createNode();

    await node.stop();
    await node.start();
    await yard.clock.advance(5000);

    expect(yard.line.calls).toEqual([]);
  });

  it('while it waits for its engine, gives up and leaves no node behind', async () => {
    await using yard = await openFakeYard();
    yard.line.cut('before');
    const node = yard.createNode();
    const starting = node.start();
    await yard.clock.advance(3000);

    yard.line.mend();
    await yard.turnUntil(Promise.all([node.stop(), starting]));
    await yard.clock.advance(5000);

    expect(await yard.engine.nodes.find('node-1')).toBeNull();
    expect(yard.logsOf('node.started')).toEqual([]);
  });

  it('while its first heartbeat is under way, says goodbye after it', async () => {
    await using yard = await openFakeYard();
    const beats = yard.line.hold('nodes.heartbeat', 'before');
    const node = yard.createNode();
    const starting = node.start();
    await yard.clock.settle();

    const stopping = node.stop();
    await yard.clock.settle();
    beats.letGo();
    await yard.turnUntil(Promise.all([stopping, starting]));

    expect((await yard.engine.nodes.get('node-1')).active).toBe(false);
  });
});

describe('what operators want of a node', () => {
  it.each(['drain', 'cordon'] as const)(
    '%s: it takes no more, and goes on when told',
    async (wish) => {
      const { yard, runs } = await openBusyYard(3);
      await using _ = yard;

      await yard.engine.nodes.set('node-1', { wish });
      await yard.clock.advance(1100);
      const asked = yard.line.callsOf('attempts.claim').length;
      for (const run of runs) run.end();
      await yard.clock.advance(5000);
      expect(runs).toHaveLength(2);
      expect(yard.line.callsOf('attempts.claim')).toHaveLength(asked);
      expect(await yard.engine.queues.countsOf('work')).toMatchObject({ succeeded: 2, queued: 1 });
      await yard.engine.nodes.set('node-1', { wish: 'work' });
      await yard.clock.advance(1100);

      expect(runs).toHaveLength(3);
    },
  );

  it('fewer tasks at once than it has slots', async () => {
    const { yard, runs } = await openBusyYard(0, { slots: 4 });
    await using _ = yard;
    await yard.engine.nodes.set('node-1', { maxRunning: 1 });
    await yard.clock.advance(1100);

    await yard.engine.tasks.submit('work', [{}, {}, {}]);
    await yard.clock.advance(1000);
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await yard.clock.settle();
    expect(yard.line.callsOf('attempts.claim').at(-1)?.args[0]).toMatchObject({ limit: 1 });
    await yard.engine.nodes.set('node-1', { maxRunning: null });
    await yard.clock.advance(1100);

    expect(runs).toHaveLength(3);
  });
});

describe('the heartbeat', () => {
  it('says each second what the node can do', async () => {
    await using yard = await openFakeYard();
    await yard.startNode({
      slots: 7,
      handlers: { a: () => null, b: () => null },
      programs: true,
      queues: ['x'],
      queuesNot: ['y'],
      version: '1.2.3',
      host: 'host-1',
      pid: 42,
      data: { rack: 3 },
    });
    const first = await yard.engine.nodes.get('node-1');

    await yard.clock.advance(5000);

    const last = await yard.engine.nodes.get('node-1');
    expect(first).toMatchObject({
      slots: 7,
      handlers: ['a', 'b'],
      programs: true,
      queuesOnly: ['x'],
      queuesNot: ['y'],
      version: '1.2.3',
      host: 'host-1',
      pid: 42,
      data: { rack: 3 },
      mode: 'IDLE',
    });
    expect(last.heartbeatAt.getTime() - first.heartbeatAt.getTime()).toBe(5000);
    expect(last.expiresAt.getTime() - last.heartbeatAt.getTime()).toBe(10_000);
  });

  it('that is refused keeps the node from starting', async () => {
    await using yard = await openFakeYard();

    await expect(yard.startNode({ name: 'a'.repeat(256) })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });
});

describe('options', () => {
  it.each([
    [{ slots: 0 }, 'slots'],
    [{ slots: 1.5 }, 'slots'],
    [{ name: '' }, 'node'],
    [{ graceMs: -1 }, 'graceMs'],
    [{ leaseMs: Number.NaN }, 'leaseMs'],
    [{ heartbeatMs: 0 }, 'heartbeatMs'],
    [{ waitMs: 60_001 }, 'waitMs'],
  ])('%j are refused with the field named', async (options, field) => {
    await using yard = await openFakeYard();

    await expect(yard.startNode(options)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { field },
    });
  });
});
