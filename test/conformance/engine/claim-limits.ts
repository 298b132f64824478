import { describe, expect, it } from 'vitest';
import { minutes } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claim, claimKeys, claimOne, settle, submitKeys, submitOne } from './scene.ts';

const MANY = Array.from({ length: 30 }, (_, i) => `k${i}`);

export function claimLimits(subject: EngineUnderTest): void {
  describe('limits', () => {
    it('of a queue hold over all nodes, however many ask at once', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxRunning: 5 });
      await submitKeys(yard.engine, 'q', MANY);

      const claimed = await Promise.all(
        Array.from({ length: 10 }, (_, i) => claim(yard.engine, { node: `n${i}`, limit: 2 })),
      );

      expect(claimed.flat()).toHaveLength(5);
    });

    it('of a queue count what is claimed and not yet begun', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxRunning: 2 });
      await submitKeys(yard.engine, 'q', MANY);
      await claimOne(yard.engine, { start: false });

      expect(await claim(yard.engine, { limit: 10 })).toHaveLength(1);
    });

    it('free a place when an attempt ends, whichever way', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxRunning: 1, maxLosses: null, maxAttempts: null });
      await submitKeys(engine, 'q', MANY);
      for (const outcome of ['succeeded', 'failed', 'released', 'cancelled', 'orphaned'] as const) {
        const held = await claimOne(engine, { limit: 5 });
        expect(await claim(engine)).toEqual([]);
        await settle(engine, held, outcome);
      }
      await claimOne(engine);
      expect(await claim(engine)).toEqual([]);
      await clock.advance(minutes(1));
      expect(await claim(engine)).toHaveLength(1);
    });

    it('of 0 stop a queue, and none means no limit', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxRunning: 0 });
      await submitKeys(yard.engine, 'q', MANY);
      expect(await claim(yard.engine)).toEqual([]);

      await yard.engine.queues.set('q', { maxRunning: null, maxRunningPerNode: 0 });
      expect(await claim(yard.engine)).toEqual([]);
      await yard.engine.queues.set('q', { maxRunningPerNode: null });
      expect(await claim(yard.engine, { limit: 100 })).toHaveLength(30);
    });

    it('of a queue on each node hold for that node', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxRunningPerNode: 2 });
      await submitKeys(yard.engine, 'q', MANY);

      const claimed = await Promise.all(
        Array.from({ length: 4 }, () => claim(yard.engine, { node: 'n1', limit: 2 })),
      );

      expect(claimed.flat()).toHaveLength(2);
      expect(await claim(yard.engine, { node: 'n2', limit: 10 })).toHaveLength(2);
    });

    it('of a node hold over all its queues, however many ask at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.nodes.heartbeat('n1', { slots: 50 });
      await engine.nodes.set('n1', { maxRunning: 3 });
      for (const queue of ['a', 'b']) {
        await engine.queues.create(queue);
        await submitKeys(engine, queue, MANY);
      }

      const claimed = await Promise.all(
        Array.from({ length: 6 }, () => claim(engine, { node: 'n1', limit: 2 })),
      );

      expect(claimed.flat()).toHaveLength(3);
      const [first] = claimed.flat();
      if (first) await settle(engine, first, 'succeeded');
      expect(await claim(engine, { node: 'n1', limit: 10 })).toHaveLength(1);
      await engine.nodes.set('n1', { maxRunning: null });
      expect(await claim(engine, { node: 'n1', limit: 10 })).toHaveLength(10);
    });

    it('on what one claim takes from a queue hold for each claim', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxPerClaim: 2 });
      await submitKeys(yard.engine, 'q', MANY);

      expect(await claimKeys(yard.engine, { limit: 10 })).toEqual(['k0', 'k1']);
      expect(await claimKeys(yard.engine, { limit: 10 })).toEqual(['k2', 'k3']);
    });

    it('changed while tasks run hold from then on', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', MANY);
      const running = await claim(engine, { limit: 4 });
      await engine.queues.set('q', { maxRunning: 2 });
      expect(await claim(engine)).toEqual([]);

      for (const held of running.slice(0, 3)) await settle(engine, held, 'succeeded');

      expect(await claim(engine, { limit: 10 })).toHaveLength(1);
    });
  });

  describe('keyed limits', () => {
    it('hold for each key on its own, and tasks of other keys pass by', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      await engine.queues.create('q', { limits });
      for (const [key, tenant] of [
        ['a1', 'a'],
        ['a2', 'a'],
        ['b1', 'b'],
        ['a3', 'a'],
      ] as const) {
        await submitOne(engine, 'q', { key, params: { tenant } });
      }

      const [a1] = await claim(engine, { limit: 10 });
      expect(a1?.key).toBe('a1');
      expect((await engine.tasks.findByKey('q', 'b1'))?.state).toBe('running');
      expect(await claim(engine, { limit: 10 })).toEqual([]);

      if (a1) await settle(engine, a1, 'succeeded');
      expect(await claimKeys(engine, { limit: 10 })).toEqual(['a2']);
    });

    it('read the key from inside the params; tasks without it share one', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const limits = [{ name: 'region', by: 'customer.region', max: 1, perMs: null }];
      await engine.queues.create('q', { limits });
      await submitOne(engine, 'q', { key: 'eu1', params: { customer: { region: 'eu' } } });
      await submitOne(engine, 'q', { key: 'eu2', params: { customer: { region: 'eu' } } });
      await submitOne(engine, 'q', { key: 'none1', params: { customer: {} } });
      await submitOne(engine, 'q', { key: 'none2', params: null });

      expect(await claimKeys(engine, { limit: 10 })).toEqual(['eu1', 'none1']);
    });

    it('per time let so many start within it', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const limits = [{ name: 'rate', by: 'tenant', max: 2, perMs: minutes(1) }];
      await engine.queues.create('q', { limits });
      await submitKeys(engine, 'q', ['k1', 'k2', 'k3', 'k4', 'k5']);
      const begin = async (limit: number) => {
        const claims = await claim(engine, { limit });
        for (const held of claims) await settle(engine, held, 'succeeded');
        return claims.map(({ key }) => key);
      };

      expect(await begin(1)).toEqual(['k1']);
      await clock.advance(minutes(0.5));
      expect(await begin(10)).toEqual(['k2']);
      expect(await begin(10)).toEqual([]);
      await clock.advance(minutes(0.5) + 1);
      expect(await begin(10)).toEqual(['k3']);
      await clock.advance(minutes(0.5) + 1);
      expect(await begin(10)).toEqual(['k4']);
    });

    it('hold however many ask at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const limits = [{ name: 'tenant', by: 'tenant', max: 2, perMs: null }];
      await engine.queues.create('q', { limits });
      await submitKeys(engine, 'q', MANY);

      const claimed = await Promise.all(
        Array.from({ length: 8 }, (_, i) => claim(engine, { node: `n${i}`, limit: 2 })),
      );

      expect(claimed.flat()).toHaveLength(2);
    });

    it('all hold, where a queue has several', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const limits = [
        { name: 'tenant', by: 'tenant', max: 2, perMs: null },
        { name: 'host', by: 'host', max: 1, perMs: null },
      ];
      await engine.queues.create('q', { limits });
      for (const [key, tenant, host] of [
        ['1', 'a', 'x'],
        ['2', 'a', 'x'],
        ['3', 'a', 'y'],
        ['4', 'a', 'z'],
        ['5', 'b', 'z'],
      ] as const) {
        await submitOne(engine, 'q', { key, params: { tenant, host } });
      }

      expect(await claimKeys(engine, { limit: 10 })).toEqual(['1', '3', '5']);
    });
  });
}
