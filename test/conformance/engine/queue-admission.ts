import { describe, expect, it } from 'vitest';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  countsOf,
  expectRefusal,
  settle,
  submitKeys,
  submitOne,
} from './scene.ts';

export function queueAdmission(subject: EngineUnderTest): void {
  describe('queues.admit', () => {
    it('lets tasks of a gated queue be claimed, highest priority first; none before', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { admission: 'gated' });
      await submitKeys(engine, 'q', ['a', 'b']);
      await submitOne(engine, 'q', { key: 'high', priority: 1 });
      expect(await countsOf(engine, 'q')).toEqual({ held: 3 });
      expect(await claim(engine)).toEqual([]);

      expect(await engine.queues.admit('q', { limit: 2 })).toEqual({ admitted: 2 });

      expect(await claimKeys(engine, { limit: 5 })).toEqual(['high', 'a']);
      expect(await countsOf(engine, 'q')).toEqual({ running: 2, held: 1 });
    });

    it('never lets more be admitted and live than its limit', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { admission: 'gated' });
      await submitKeys(engine, 'q', ['a', 'b', 'c', 'd']);

      expect(await engine.queues.admit('q', { limit: 2 })).toEqual({ admitted: 2 });
      expect(await engine.queues.admit('q', { limit: 2 })).toEqual({ admitted: 0 });
      const held = await claimOne(engine);
      expect(await engine.queues.admit('q', { limit: 2 })).toEqual({ admitted: 0 });
      await settle(engine, held, 'succeeded');

      expect(await engine.queues.admit('q', { limit: 2 })).toEqual({ admitted: 1 });
      expect(await engine.queues.admit('q', { limit: 1 })).toEqual({ admitted: 0 });
    });

    it('leaves tasks alone that operators hold, or whose time has not come', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { admission: 'gated' });
      await submitOne(engine, 'q', { key: 'held', hold: true });
      await submitOne(engine, 'q', { key: 'later', delayMs: seconds(5) });

      expect(await engine.queues.admit('q', { limit: 9 })).toEqual({ admitted: 0 });
      await clock.advance(seconds(5));
      expect(await claim(engine)).toEqual([]);
      expect(await engine.queues.admit('q', { limit: 9 })).toEqual({ admitted: 1 });
      expect(await claimKeys(engine, { limit: 9 })).toEqual(['later']);
    });

    it('asks again for admission of a task that waits again', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { admission: 'gated' });
      const id = await submitOne(engine, 'q');
      await engine.queues.admit('q', { limit: 1 });
      await settle(engine, await claimOne(engine), 'succeeded');

      const task = await engine.tasks.retry(id);

      expect(task).toMatchObject({ state: 'held', hold: 'admission' });
    });

    it('needs the lease under its term, if one is named; otherwise it admits nothing', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { admission: 'gated' });
      await submitKeys(engine, 'q', ['a', 'b']);
      const lease = { holder: 'controller-1', ttlMs: seconds(10) };
      const { term } = await engine.leases.acquire('controller', lease);
      const admit = (name: string, asTerm: number) =>
        engine.queues.admit('q', { limit: 1, lease: { name, term: asTerm } });

      await expectRefusal(admit('controller', term + 1), 'LEASE_HELD');
      await expectRefusal(admit('other', term), 'LEASE_HELD');
      expect(await admit('controller', term)).toEqual({ admitted: 1 });
      await clock.advance(seconds(11));
      await expectRefusal(
        engine.queues.admit('q', { limit: 2, lease: { name: 'controller', term } }),
        'LEASE_HELD',
      );
      expect(await countsOf(engine, 'q')).toEqual({ queued: 1, held: 1 });
    });

    it('refuses a queue that is not there or not gated', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('open');

      await expectRefusal(yard.engine.queues.admit('nope', { limit: 1 }), 'QUEUE_NOT_FOUND');
      await expectRefusal(yard.engine.queues.admit('open', { limit: 1 }), 'INVALID_REQUEST');
    });
  });

  describe('external tasks', () => {
    it('run at once without a lease, and never run out', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(1) });

      const id = await submitOne(engine, 'q', { key: 'k', external: true });

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'running', external: true });
      expect((await engine.tasks.get(id)).attempt?.expiresAt ?? null).toBeNull();
      await clock.advance(seconds(3600));
      expect(await countsOf(engine, 'q')).toEqual({ running: 1 });
      expect(await claim(engine)).toEqual([]);
    });

    it('end by a call that needs no fence', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'k', external: true });
      const { id = '' } = (await engine.tasks.findByKey('q', 'k')) ?? {};

      const answer = await settle(engine, { taskId: id, fence: null }, 'succeeded', {
        output: { approved: true },
      });

      expect(answer).toMatchObject({ status: 'applied', state: 'succeeded' });
      expect((await engine.tasks.get(id)).result).toEqual({ approved: true });
    });

    it('are terminated at once when they are cancelled', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q', { external: true });

      expect((await yard.engine.tasks.cancel(id)).state).toBe('terminated');
    });
  });
}
