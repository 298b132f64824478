import { describe, expect, it } from 'vitest';
import { hours, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  countsOf,
  expectRefusal,
  only,
  renew,
  settle,
  submitKeys,
  submitOne,
} from './scene.ts';

export function queueDeletion(subject: EngineUnderTest): void {
  describe('queues.delete', () => {
    it('takes an empty queue away', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');

      expect(await yard.engine.queues.delete('q')).toEqual({ tasks: 0 });

      expect(await yard.engine.queues.find('q')).toBeNull();
      await expectRefusal(yard.engine.queues.delete('q'), 'QUEUE_NOT_FOUND', { queue: 'q' });
    });

    it('refuses a queue that holds tasks, ended ones too, and says how many', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      await settle(engine, await claimOne(engine), 'succeeded');

      await expectRefusal(engine.queues.delete('q'), 'QUEUE_NOT_EMPTY', { queue: 'q', tasks: '2' });

      expect(await countsOf(engine, 'q')).toEqual({ queued: 1, succeeded: 1 });
    });

    it('delete takes its tasks with it, ends their leases, and frees the name at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const [a = ''] = await submitKeys(engine, 'q', ['a', 'b', 'c']);
      const held = await claimOne(engine);

      expect(await engine.queues.delete('q', { tasks: 'delete' })).toEqual({ tasks: 3 });

      expect(await engine.tasks.find(a)).toBeNull();
      expect((await engine.tasks.list()).items).toEqual([]);
      expect((await renew(engine, held)).status).toBe('lost');
      expect(await settle(engine, held, 'succeeded')).toMatchObject({
        status: 'lost',
        state: null,
      });
      await engine.queues.create('q');
      expect(await countsOf(engine, 'q')).toEqual({});
      expect(await claim(engine)).toEqual([]);
    });

    it('keep leaves its tasks readable by id, never to be claimed', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const [a = '', b = ''] = await submitKeys(engine, 'q', ['a', 'b']);
      await settle(engine, await claimOne(engine), 'succeeded', { output: 'kept' });

      expect(await engine.queues.delete('q', { tasks: 'keep' })).toEqual({ tasks: 2 });

      expect(await engine.tasks.get(a)).toMatchObject({ state: 'succeeded', result: 'kept' });
      expect(await engine.tasks.get(b)).toMatchObject({ state: 'queued', queue: 'q' });
      expect(await claim(engine)).toEqual([]);
      await engine.queues.create('q');
      expect(await claim(engine)).toEqual([]);
      expect(await countsOf(engine, 'q')).toEqual({});
    });
  });

  describe('queues.counts', () => {
    it('counts by state as of now: due delays and leases that ran out included', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(10), maxLosses: null });
      await engine.queues.create('empty');
      await submitOne(engine, 'q', { key: 'running', priority: 2 });
      await submitOne(engine, 'q', { key: 'claimed', priority: 1 });
      await submitOne(engine, 'q', { key: 'delayed', delayMs: seconds(5) });
      await submitOne(engine, 'q', { key: 'much later', delayMs: hours(1) });
      await submitOne(engine, 'q', { key: 'held', hold: true });
      await claimOne(engine);
      await claimOne(engine, { start: false });
      expect(await countsOf(engine, 'q')).toEqual({ running: 1, claimed: 1, delayed: 2, held: 1 });

      await clock.advance(seconds(5));
      expect(await countsOf(engine, 'q')).toEqual({
        running: 1,
        claimed: 1,
        queued: 1,
        delayed: 1,
        held: 1,
      });

      await clock.advance(seconds(6));
      expect(await countsOf(engine, 'q')).toEqual({ queued: 3, delayed: 1, held: 1 });
      const all = await engine.queues.counts();
      expect(all.map(({ queue }) => queue)).toEqual(['empty', 'q']);
      expect(all[1]?.counts).toEqual(await engine.queues.countsOf('q'));
    });

    it('equals a full listing after any mixture of moves', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxAttempts: 2, onLost: 'park' });
      const ids = await submitKeys(
        engine,
        'q',
        Array.from({ length: 24 }, (_, i) => `k${i}`),
      );
      const held = await claim(engine, { limit: 12 });
      const outcomes = ['succeeded', 'failed', 'released', 'timed-out', 'cancelled'] as const;
      for (const [index, outcome] of outcomes.entries()) {
        await settle(engine, held[index] ?? only([]), outcome, { final: true });
      }
      await engine.tasks.hold(ids[20] ?? '');
      await engine.tasks.cancel(ids[21] ?? '');
      await engine.tasks.cancel(held[11]?.taskId ?? '');
      await engine.tasks.edit(ids[22] ?? '', { notBefore: clock.now() });
      await engine.tasks.delete(ids[23] ?? '');
      await clock.advance(seconds(31));

      const listed: Record<string, number> = {};
      for (const { state } of (await engine.tasks.list({ queues: ['q'] })).items) {
        listed[state] = (listed[state] ?? 0) + 1;
      }

      expect(Object.keys(listed).length).toBeGreaterThan(5);
      expect(await countsOf(engine, 'q')).toEqual(listed);
    });
  });
}
