import { describe, expect, it } from 'vitest';
import type { ClaimRequest, SettleRequest } from '../../src/core/index.ts';
import { openFakeYard, openRuns, outcomesOf, stateOf } from './yard.ts';

describe('a node', () => {
  it('runs what is submitted and keeps what the handler returns', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('double');
    const id = await yard.submit('double', { params: { n: 21 } });

    await yard.startNode({ handlers: { double: ({ n }: { n: number }) => ({ n: n * 2 }) } });
    await yard.clock.settle();

    expect(await yard.engine.tasks.get(id)).toMatchObject({
      state: 'succeeded',
      result: { n: 42 },
    });
  });

  it('begins at once what is submitted while it is idle', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.startNode({ handlers: { work: () => null } });
    await yard.clock.advance(5000);

    const id = await yard.submit('work');
    await yard.clock.settle();

    expect(await stateOf(yard.engine, id)).toBe('succeeded');
  });

  it('waits for work in one open question, not by asking again and again', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.startNode({ handlers: { work: () => null } });

    await yard.clock.advance(120_000);

    const count = yard.line.callsOf('attempts.claim').length;
    expect(count).toBeGreaterThanOrEqual(4);
    expect(count).toBeLessThanOrEqual(6);
  });

  it('does not press an engine that answers at once that there is nothing', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.startNode({ handlers: { work: () => null }, waitMs: 0 });

    await yard.clock.advance(10_000);
    const count = yard.line.callsOf('attempts.claim').length;
    const id = await yard.submit('work');
    await yard.clock.advance(500);

    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThan(80);
    expect(await stateOf(yard.engine, id)).toBe('succeeded');
  });

  it('takes no more tasks than it has slots while they are slow', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.engine.tasks.submit('work', [{}, {}, {}, {}, {}]);
    const { runs, handler } = openRuns();

    const node = await yard.startNode({ slots: 2, handlers: { work: handler } });
    await yard.clock.settle();

    expect(runs).toHaveLength(2);
    expect(node.status()).toMatchObject({ running: 2, waiting: 0 });
    expect((await yard.engine.queues.countsOf('work')).running).toBe(2);
  });

  it('fills a slot as soon as it is free', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.engine.tasks.submit('work', [{}, {}, {}]);
    const { runs, handler } = openRuns();
    await yard.startNode({ slots: 2, handlers: { work: handler } });
    await yard.clock.settle();

    runs[0]?.end();
    await yard.clock.settle();

    expect(runs).toHaveLength(3);
  });

  it('leaves queues alone whose handler it lacks', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('mine');
    await yard.engine.queues.create('theirs', { handler: 'unknown' });
    const own = await yard.submit('mine');
    const other = await yard.submit('theirs');

    await yard.startNode({ handlers: { mine: () => null } });
    await yard.clock.advance(1000);

    expect(await stateOf(yard.engine, own)).toBe('succeeded');
    expect(await stateOf(yard.engine, other)).toBe('queued');
  });

  it('warns once for each queue with work that it has no handler for', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('theirs', { handler: 'unknown' });
    await yard.engine.queues.create('programs', {
      program: { argv: ['true'], cwd: null, env: {} },
    });
    await yard.engine.queues.create('not-wanted', { handler: 'unknown' });
    await yard.engine.queues.create('empty', { handler: 'unknown' });
    for (const queue of ['theirs', 'programs', 'not-wanted']) await yard.submit(queue);

    await yard.startNode({ handlers: {}, queuesNot: ['not-wanted'] });
    await yard.clock.advance(60_000);

    expect(yard.logsOf('handler.missing').map(({ fields }) => fields)).toEqual([
      { node: 'node-1', queue: 'theirs', handler: 'unknown', tasks: 1 },
    ]);
    expect(yard.logsOf('node.no-programs').map(({ fields }) => fields.queue)).toEqual(['programs']);
  });

  it('serves only the queues it was told to', async () => {
    await using yard = await openFakeYard();
    const handlers = { a: () => null, b: () => null, c: () => null };
    const ids: Record<string, string> = {};
    for (const queue of Object.keys(handlers)) {
      await yard.engine.queues.create(queue);
      ids[queue] = await yard.submit(queue);
    }

    await yard.startNode({ handlers, queues: ['a', 'b'], queuesNot: ['b'] });
    await yard.clock.advance(1000);

    expect(await stateOf(yard.engine, ids.a as string)).toBe('succeeded');
    expect(await stateOf(yard.engine, ids.b as string)).toBe('queued');
    expect(await stateOf(yard.engine, ids.c as string)).toBe('queued');
  });
});

describe('batches', () => {
  it('tell the ends of one turn in one call, and ask for more before it is answered', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.engine.tasks.submit('work', Array(8).fill({}));
    const { runs, handler } = openRuns();
    await yard.startNode({ slots: 4, handlers: { work: handler } });
    await yard.clock.advance(100);
    const before = yard.line.calls.length;
    const settles = yard.line.hold('attempts.settle');

    for (const run of runs.slice(0, 4)) run.end();
    await yard.clock.settle();

    const [settle, claim] = yard.line.calls.slice(before);
    expect(settle?.method).toBe('attempts.settle');
    expect(settle?.args[0] as SettleRequest[]).toHaveLength(4);
    expect(claim?.method).toBe('attempts.claim');
    expect(claim?.args[0]).toMatchObject({ limit: 4 });
    expect(runs).toHaveLength(8);
    settles.letGo();
  });

  it('are large for quick tasks: they are taken ahead', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    await yard.engine.tasks.submit('work', Array(3000).fill({}));

    await yard.startNode({ slots: 2, handlers: { work: () => null } });
    await yard.clock.settle();

    expect((await yard.engine.queues.countsOf('work')).succeeded).toBe(3000);
    const limits = yard.line
      .callsOf('attempts.claim')
      .map(({ args }) => (args[0] as ClaimRequest).limit);
    expect(limits.slice(0, 3)).toEqual([2, 500, 500]);
    expect(limits.length).toBeLessThan(12);
  });

  it('take nothing ahead while slow tasks hold every slot', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('quick');
    await yard.engine.queues.create('slow', { priority: 1 });
    const { runs, handler } = openRuns();
    await yard.startNode({ slots: 2, handlers: { quick: () => null, slow: handler } });
    await yard.engine.tasks.submit('quick', Array(500).fill({}));
    await yard.clock.settle();
    await yard.engine.tasks.submit('slow', Array(2).fill({}));
    await yard.engine.tasks.submit('quick', Array(50).fill({}));

    await yard.clock.advance(1000);

    expect(runs).toHaveLength(2);
    expect(await yard.engine.queues.countsOf('quick')).toMatchObject({ queued: 50, running: 0 });
    const { items } = await yard.engine.tasks.list({ queues: ['quick'], states: ['queued'] });
    expect(items.every(({ claimCount }) => claimCount === 0)).toBe(true);
  });

  it('do not keep tasks that were taken ahead and cannot begin soon', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const { runs, handler } = openRuns();
    const work = (params: string, context: Parameters<typeof handler>[1]) =>
      params === 'slow' ? handler(params, context) : null;
    await yard.engine.tasks.submit('work', Array(10).fill({}));
    await yard.engine.tasks.submit('work', Array(20).fill({ params: 'slow' }));

    await yard.startNode({ slots: 2, handlers: { work } });
    await yard.clock.settle();
    expect((await yard.engine.queues.countsOf('work')).running).toBe(20);
    await yard.clock.advance(600);

    expect(runs).toHaveLength(2);
    expect(await yard.engine.queues.countsOf('work')).toMatchObject({ running: 2, queued: 18 });
    const { items } = await yard.engine.tasks.list({ states: ['queued'] });
    expect(items.every(({ tryCount }) => tryCount === 0)).toBe(true);
  });
});

describe('an engine that goes away', () => {
  it('is asked again until it is back, and the work goes on', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const { runs, handler } = openRuns();
    await yard.startNode({ slots: 2, handlers: { work: handler } });
    const first = await yard.submit('work');
    await yard.clock.settle();

    yard.line.cut('both');
    runs[0]?.end();
    await yard.clock.advance(15_000);
    const second = await yard.submit('work');
    await yard.clock.advance(1000);
    expect(runs).toHaveLength(1);
    yard.line.mend();
    await yard.clock.advance(20_000);

    expect(await stateOf(yard.engine, first)).toBe('succeeded');
    expect(runs.map(({ task }) => task.taskId)).toEqual([first, second]);
    expect(yard.logsOf('engine.away')).toHaveLength(1);
    expect(yard.logsOf('engine.back')).toHaveLength(1);
  });

  it('loses no claim whose answer was lost on the way', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    yard.line.cut('after', ['attempts.claim']);
    await yard.startNode({ slots: 2, handlers: { work: () => 'done' } });

    const id = await yard.submit('work');
    await yard.clock.settle();
    expect(await stateOf(yard.engine, id)).toBe('running');
    yard.line.mend();
    await yard.clock.advance(11_000);

    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'succeeded', claimCount: 1 });
  });

  it('does not turn a told end into two', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work', { nextQueue: 'next' });
    await yard.engine.queues.create('next');
    yard.line.cut('after', ['attempts.settle']);
    await yard.startNode({
      handlers: {
        work: (_: unknown, context) => {
          context.emit({ params: { from: 'work' } });
          return null;
        },
      },
    });

    const id = await yard.submit('work');
    await yard.clock.advance(2000);
    yard.line.mend();
    await yard.clock.advance(10_000);

    expect(await outcomesOf(yard.engine, id)).toEqual(['succeeded']);
    expect((await yard.engine.queues.countsOf('next')).queued).toBe(1);
    expect(yard.line.callsOf('attempts.settle').length).toBeGreaterThan(1);
  });

  it('is waited for when the node starts', async () => {
    await using yard = await openFakeYard();
    yard.line.cut('before');

    const starting = yard.startNode();
    await yard.clock.advance(5000);
    yard.line.mend();
    await yard.turnUntil(starting);

    expect((await yard.engine.nodes.get('node-1')).active).toBe(true);
  });
});
