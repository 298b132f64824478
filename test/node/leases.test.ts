import { describe, expect, it } from 'vitest';
import type { RenewRequest } from '../../src/core/index.ts';
import { type FakeYard, openFakeYard, openRuns, outcomesOf, stateOf } from './yard.ts';

const LEASE_MS = 30_000;

async function openBusyYard(tasks: number, options: { renewMs?: number; leaseMs?: number } = {}) {
  const yard = await openFakeYard();
  await yard.engine.queues.create('work', { leaseMs: LEASE_MS });
  const { runs, handler } = openRuns();
  const node = await yard.startNode({ slots: 10, handlers: { work: handler }, ...options });
  await yard.engine.tasks.submit('work', Array(tasks).fill({}));
  await yard.clock.settle();
  return { yard, runs, node };
}

function renewals(yard: FakeYard): RenewRequest[][] {
  return yard.line.callsOf('attempts.renew').map(({ args }) => args[0] as RenewRequest[]);
}

async function loseLease(yard: FakeYard, id: string): Promise<void> {
  await yard.engine.attempts.renew([{ taskId: id, fence: null, leaseMs: 0 }]);
}

describe('leases', () => {
  it('are renewed for all tasks in one call, at a third of their length', async () => {
    const { yard } = await openBusyYard(5);
    await using _ = yard;

    await yard.clock.advance(9900);
    expect(renewals(yard)).toHaveLength(0);
    await yard.clock.advance(200);
    expect(renewals(yard).map((call) => call.length)).toEqual([5]);
    await yard.clock.advance(60_000);

    expect(renewals(yard).map((call) => call.length)).toEqual([5, 5, 5, 5, 5, 5, 5]);
    expect((await yard.engine.queues.countsOf('work')).running).toBe(5);
  });

  it('fall into step: a younger task is renewed along with an older one', async () => {
    const { yard } = await openBusyYard(1);
    await using _ = yard;
    await yard.clock.advance(7000);
    await yard.submit('work');

    await yard.clock.advance(29_000);

    expect(renewals(yard).map((call) => call.length)).toEqual([1, 2, 2]);
  });

  it('take the length the node was given', async () => {
    const { yard } = await openBusyYard(1, { leaseMs: 3000 });
    await using _ = yard;

    await yard.clock.advance(1100);

    expect(renewals(yard)).toMatchObject([[{ leaseMs: 3000 }]]);
  });

  it('are renewed more often where cancellations must be heard sooner', async () => {
    const { yard } = await openBusyYard(1, { renewMs: 1000 });
    await using _ = yard;

    await yard.clock.advance(5100);

    expect(renewals(yard)).toHaveLength(5);
  });

  it('carry what the handler reported, soon and only once', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.startNode({
      handlers: {
        work: (_: unknown, context) =>
          new Promise(() => {
            context.progress({ percent: 10 });
            context.progress({ percent: 50 });
          }),
      },
    });
    const id = await yard.submit('work');

    await yard.clock.advance(300);
    expect((await yard.engine.tasks.get(id)).result).toEqual({ percent: 50 });
    await yard.clock.advance(LEASE_MS);

    expect(renewals(yard).filter(([item]) => item?.data !== undefined)).toHaveLength(1);
  });

  it('that are lost stop the task, and nothing more is written', async () => {
    const { yard, runs, node } = await openBusyYard(1);
    await using _ = yard;
    const id = runs[0]?.task.taskId as string;
    await yard.engine.tasks.edit(id, { notBefore: new Date('2027-01-01T00:00:00Z') });

    await loseLease(yard, id);
    await yard.clock.advance(10_100);

    expect(runs.map(({ stopped }) => stopped)).toEqual(['lost']);
    expect(node.status()).toMatchObject({ running: 0, lost: 1 });
    expect(yard.line.callsOf('attempts.settle')).toHaveLength(0);
    expect(await outcomesOf(yard.engine, id)).toEqual(['orphaned']);
  });

  it('that cannot be renewed stop the task before they end', async () => {
    const { yard, runs, node } = await openBusyYard(2);
    await using _ = yard;
    yard.line.cut('both');

    await yard.clock.advance(24_500);
    expect(runs.map(({ stopped }) => stopped)).toEqual([null, null]);
    await yard.clock.advance(1000);

    expect(runs.map(({ stopped }) => stopped)).toEqual(['lost', 'lost']);
    expect(node.status()).toMatchObject({ running: 0, lost: 2 });
    expect((await yard.engine.queues.countsOf('work')).running).toBe(2);
  });

  it('are asked for, not given up, after the whole process stood still', async () => {
    await using yard = await openFakeYard();
    let stoodMs = 0;
    const clock = { ...yard.clock, monotonicMs: () => yard.clock.monotonicMs() + stoodMs };
    await yard.engine.queues.create('work', { leaseMs: LEASE_MS });
    const { runs, handler } = openRuns();
    await yard.startNode({ handlers: { work: handler }, clock });
    await yard.submit('work');
    await yard.clock.advance(5000);

    stoodMs = 60_000;
    await yard.clock.advance(20_000);

    expect(runs.map(({ stopped }) => stopped)).toEqual([null]);
    expect((await yard.engine.queues.countsOf('work')).running).toBe(1);
  });

  it('are kept through an outage that is shorter than they are', async () => {
    const { yard, runs } = await openBusyYard(2);
    await using _ = yard;
    yard.line.cut('both');
    await yard.clock.advance(20_000);
    yard.line.mend();

    await yard.clock.advance(60_000);

    expect(runs.map(({ stopped }) => stopped)).toEqual([null, null]);
    expect((await yard.engine.queues.countsOf('work')).running).toBe(2);
  });

  it('that were over when the claim arrived are asked for before the task begins', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work', { leaseMs: LEASE_MS });
    const { runs, handler } = openRuns();
    const node = await yard.startNode({ handlers: { work: handler } });
    const id = await yard.submit('work');
    const claims = yard.line.hold('attempts.claim');
    await yard.clock.advance(40_000);
    await yard.engine.attempts.claim({ node: 'somebody else' });

    claims.letGo();
    await yard.clock.settle();

    expect(runs).toEqual([]);
    expect(node.status().lost).toBe(1);
    expect(await outcomesOf(yard.engine, id)).toEqual(['orphaned', null]);
  });

  it('that were nearly over when the claim arrived are renewed, and the task begins', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work', { leaseMs: LEASE_MS });
    const { runs, handler } = openRuns();
    await yard.startNode({ handlers: { work: handler } });
    const id = await yard.submit('work');
    const claims = yard.line.hold('attempts.claim');
    await yard.clock.advance(28_000);

    claims.letGo();
    await yard.clock.advance(10_000);

    expect(runs.map(({ stopped }) => stopped)).toEqual([null]);
    expect(await outcomesOf(yard.engine, id)).toEqual([null]);
  });
});

describe('a cancelled task', () => {
  it('is told to stop, and is terminated once it has', async () => {
    const { yard, runs } = await openBusyYard(1);
    await using _ = yard;
    const [run] = runs;
    const id = run?.task.taskId as string;

    await yard.engine.tasks.cancel(id);
    await yard.clock.advance(10_100);

    expect(run?.stopped).toBe('cancelled');
    expect(await yard.engine.tasks.get(id)).toMatchObject({
      state: 'terminated',
      error: expect.stringContaining('Stopped on request.'),
    });
    expect(await outcomesOf(yard.engine, id)).toEqual(['cancelled']);
  });

  it('stays cancelled even if its handler returns a result then', async () => {
    const { yard, runs } = await openBusyYard(1);
    await using _ = yard;
    const [run] = runs;
    const id = run?.task.taskId as string;
    if (run) run.isDeaf = true;

    await yard.engine.tasks.cancel(id);
    await yard.clock.advance(10_100);
    expect(await stateOf(yard.engine, id)).toBe('running');
    run?.end();
    await yard.clock.settle();

    expect(await stateOf(yard.engine, id)).toBe('terminated');
  });

  it('is given up when its handler does not heed the signal; its slot stays taken', async () => {
    const { yard, runs, node } = await openBusyYard(1);
    await using _ = yard;
    const [run] = runs;
    const id = run?.task.taskId as string;
    if (run) run.isDeaf = true;
    await yard.engine.tasks.cancel(id);
    await yard.clock.advance(10_100);

    await yard.clock.advance(10_000);
    expect(await stateOf(yard.engine, id)).toBe('terminated');
    expect(node.status().running).toBe(1);
    expect(yard.logsOf('handler.abandoned')).toHaveLength(1);
    run?.end();
    await yard.clock.settle();

    expect(node.status().running).toBe(0);
    expect(await outcomesOf(yard.engine, id)).toEqual(['cancelled']);
  });
});

describe('the longest run time of a queue', () => {
  it('ends a task that exceeds it as timed out, within its tries', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work', { maxRunMs: 5000, maxAttempts: 2 });
    const { runs, handler } = openRuns();
    await yard.startNode({ handlers: { work: handler } });
    const id = await yard.submit('work');

    await yard.clock.advance(4900);
    expect(runs.map(({ stopped }) => stopped)).toEqual([null]);
    await yard.clock.advance(200);
    expect(runs.map(({ stopped }) => stopped)).toEqual(['timed-out']);
    await yard.clock.advance(20_000);

    expect(await outcomesOf(yard.engine, id)).toEqual(['timed-out', 'timed-out']);
    expect(await yard.engine.tasks.get(id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('longer than the queue’s 5000 ms'),
    });
  });

  it('is what the context calls its deadline', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('bound', { maxRunMs: 5000 });
    await yard.engine.queues.create('free');
    const deadlines: (Date | null)[] = [];
    const handler = (_: unknown, { deadline }: { deadline: Date | null }) => {
      deadlines.push(deadline);
      return null;
    };
    await yard.startNode({ handlers: { bound: handler, free: handler } });

    await yard.submit('bound');
    await yard.clock.settle();
    await yard.submit('free');
    await yard.clock.settle();

    expect(deadlines).toEqual([new Date(yard.clock.now().getTime() + 5000), null]);
  });
});
