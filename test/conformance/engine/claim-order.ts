import { describe, expect, it } from 'vitest';
import { bytes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  later,
  only,
  settle,
  stateOf,
  submitKeys,
  submitOne,
} from './scene.ts';

export function claimOrder(subject: EngineUnderTest): void {
  describe('attempts.claim', () => {
    it('gives a task with all that is needed to run it, and its queue', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const queue = await engine.queues.create('q', { leaseMs: seconds(20) });
      const id = await submitOne(engine, 'q', {
        key: 'k',
        params: { n: 1 },
        priority: 2,
        labels: { a: 'b' },
      });

      const answer = await engine.attempts.claim({ node: 'n1' });

      expect(only(answer.claims)).toEqual({
        taskId: id,
        queueId: queue.id,
        queue: 'q',
        key: 'k',
        params: { n: 1 },
        priority: 2,
        labels: { a: 'b' },
        fence: expect.any(Number),
        claimCount: 1,
        tryCount: 0,
        roundCount: 0,
        claimedAt: clock.now(),
        expiresAt: later(clock.now(), seconds(20)),
      });
      expect(answer.queues).toEqual({ q: queue });
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'running',
        claimCount: 1,
        attempt: {
          node: 'n1',
          fence: only(answer.claims).fence,
          startedAt: clock.now(),
          expiresAt: later(clock.now(), seconds(20)),
        },
      });
    });

    it('gives nothing when there is nothing', async () => {
      await using yard = await subject.open();

      expect(await yard.engine.attempts.claim({ node: 'n1' })).toEqual({ claims: [], queues: {} });
    });

    it('gives each task to one node, however many ask at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const ids = await submitKeys(
        engine,
        'q',
        Array.from({ length: 60 }, (_, i) => `k${i}`),
      );

      const claimed = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const mine: string[] = [];
          for (;;) {
            const bite = await claim(engine, { node: `n${index}`, limit: 3 });
            if (bite.length === 0) return mine;
            mine.push(...bite.map(({ taskId }) => taskId));
          }
        }),
      );

      expect(claimed.flat().toSorted()).toEqual(ids.toSorted());
    });

    it('leaves the task claimed until start, if so asked', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');

      const held = await claimOne(engine, { start: false });

      expect(await stateOf(engine, id)).toBe('claimed');
      expect((await engine.tasks.get(id)).attempt?.startedAt).toBeNull();
      await engine.attempts.start([{ taskId: id, fence: held.fence }]);
      expect(await stateOf(engine, id)).toBe('running');
    });

    it('takes the lease that is asked for instead of the queue’s', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { leaseMs: seconds(20) });
      await submitOne(yard.engine, 'q');

      const held = await claimOne(yard.engine, { leaseMs: seconds(5) });

      expect(held.expiresAt).toEqual(later(yard.clock.now(), seconds(5)));
    });

    it('raises fence and claimCount with each claim', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await submitOne(yard.engine, 'q');
      const first = await claimOne(yard.engine);
      await settle(yard.engine, first, 'released');

      const second = await claimOne(yard.engine);

      expect(second.fence).toBeGreaterThan(first.fence);
      expect(second.claimCount).toBe(2);
    });
  });

  describe('the order of claims', () => {
    it('within a queue: priority first, then first in, first out', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { order: 'fifo' });
      await submitKeys(yard.engine, 'q', ['b', 'a']);
      await submitOne(yard.engine, 'q', { key: 'high', priority: 1 });
      await submitOne(yard.engine, 'q', { key: 'low', priority: -0.5 });
      await submitKeys(yard.engine, 'q', ['c']);

      expect(await claimKeys(yard.engine, { limit: 9 })).toEqual(['high', 'b', 'a', 'c', 'low']);
    });

    it('of a lifo queue: the last one in goes first', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { order: 'lifo' });
      await submitKeys(yard.engine, 'q', ['1', '2', '3']);

      expect(await claimKeys(yard.engine, { limit: 9 })).toEqual(['3', '2', '1']);
    });

    it('of a key queue: by key, bytewise', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { order: 'key' });
      await submitKeys(yard.engine, 'q', ['b', bytes(255), 'ü', 'B', 'aa', 'a']);

      const keys = await claimKeys(yard.engine, { limit: 9 });

      expect(keys.slice(0, 5)).toEqual(['B', 'a', 'aa', 'b', 'ü']);
      expect(keys).toHaveLength(6);
    });

    it('among queues: the higher priority first, always, while it has work', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const [name, priority] of [
        ['low', 0],
        ['high', 2],
        ['middle', 1],
      ] as const) {
        await engine.queues.create(name, { priority });
        await submitKeys(engine, name, [`${name}-1`, `${name}-2`]);
      }
      const order = [];
      for (let i = 0; i < 6; i += 1) order.push((await claimOne(engine)).queue);

      expect(order).toEqual(['high', 'high', 'middle', 'middle', 'low', 'low']);
    });

    it('fills a call up from several queues, highest first', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('low');
      await engine.queues.create('high', { priority: 1 });
      await submitKeys(engine, 'low', ['l1', 'l2', 'l3']);
      await submitKeys(engine, 'high', ['h1', 'h2']);

      const answer = await engine.attempts.claim({ node: 'n1', limit: 4 });

      expect(answer.claims.map(({ key }) => key)).toEqual(['h1', 'h2', 'l1', 'l2']);
      expect(Object.keys(answer.queues).toSorted()).toEqual(['high', 'low']);
    });

    it('keeps a call with oneQueue to one queue', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('low');
      await engine.queues.create('high', { priority: 1 });
      await submitKeys(engine, 'low', ['l1', 'l2', 'l3']);
      await submitKeys(engine, 'high', ['h1', 'h2']);

      expect(await claimKeys(engine, { limit: 4, oneQueue: true })).toEqual(['h1', 'h2']);
      expect(await claimKeys(engine, { limit: 4, oneQueue: true })).toEqual(['l1', 'l2', 'l3']);
    });

    it('shares by weight among queues of equal priority', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const [name, weight] of [
        ['heavy', 30],
        ['light', 10],
        ['none', 0],
      ] as const) {
        await engine.queues.create(name, { weight });
        await submitKeys(
          engine,
          name,
          Array.from({ length: 80 }, (_, i) => `${name}-${i}`),
        );
      }
      const live = { heavy: 0, light: 0, none: 0 };
      for (let i = 0; i < 40; i += 1) {
        const { queue } = await claimOne(engine);
        live[queue as keyof typeof live] += 1;
      }

      // What runs counts against a queue, so that the shares come out nearly exact.
      expect(live.heavy).toBeGreaterThanOrEqual(28);
      expect(live.heavy).toBeLessThanOrEqual(32);
      expect(live.none).toBe(0);
    });

    it('spreads one large claim by weight as well', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const name of ['a', 'b']) {
        await engine.queues.create(name);
        await submitKeys(
          engine,
          name,
          Array.from({ length: 100 }, (_, i) => `${name}-${i}`),
        );
      }

      const claims = await claim(engine, { limit: 80 });

      const ofA = claims.filter(({ queue }) => queue === 'a').length;
      expect(claims).toHaveLength(80);
      expect(ofA).toBeGreaterThanOrEqual(30);
      expect(ofA).toBeLessThanOrEqual(50);
    });
  });
}
