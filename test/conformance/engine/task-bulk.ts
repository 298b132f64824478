import { describe, expect, it } from 'vitest';
import { hours } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  countsOf,
  expectRefusal,
  refusal,
  settle,
  submitKeys,
  submitOne,
} from './scene.ts';

export function taskBulk(subject: EngineUnderTest): void {
  describe('tasks.bulk', () => {
    it('does one action on all tasks that match; the rest refuse and stay', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await engine.queues.create('other');
      await submitKeys(engine, 'q', ['a', 'b', 'c']);
      await submitOne(engine, 'other');
      await settle(engine, await claimOne(engine, { queues: ['q'] }), 'succeeded');

      const answer = await engine.tasks.bulk({ action: 'cancel', filter: { queues: ['q'] } });

      expect(answer).toEqual({ matched: 3, changed: 2 });
      expect(await countsOf(engine, 'q')).toEqual({ cancelled: 2, succeeded: 1 });
      expect(await countsOf(engine, 'other')).toEqual({ queued: 1 });
    });

    it('knows every action', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const all = { queues: ['q'] };
      const both = { matched: 2, changed: 2 };

      expect(await engine.tasks.bulk({ action: 'hold', filter: all })).toEqual(both);
      expect(await countsOf(engine, 'q')).toEqual({ held: 2 });
      expect(await engine.tasks.bulk({ action: 'release', filter: all })).toEqual(both);
      const change = { priorityBy: 3, labels: { by: 'bulk' } };
      expect(await engine.tasks.bulk({ action: 'edit', filter: all, change })).toEqual(both);
      const claims = await claim(engine, { limit: 2 });
      expect(claims.map(({ priority, labels }) => [priority, labels])).toEqual([
        [3, { by: 'bulk' }],
        [3, { by: 'bulk' }],
      ]);
      expect(await engine.tasks.bulk({ action: 'cancel', filter: all })).toEqual(both);
      for (const held of claims) await settle(engine, held, 'cancelled');
      expect(await countsOf(engine, 'q')).toEqual({ terminated: 2 });
      expect(await engine.tasks.bulk({ action: 'retry', filter: all })).toEqual(both);
      expect(await countsOf(engine, 'q')).toEqual({ queued: 2 });
      expect(await engine.tasks.bulk({ action: 'delete', filter: all })).toEqual(both);
      expect(await countsOf(engine, 'q')).toEqual({});
    });

    it('meets each task once, however many there are', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(
        engine,
        'q',
        Array.from({ length: 1250 }, (_, i) => `k${i}`),
      );

      const change = { priorityBy: 1 };
      const edited = await engine.tasks.bulk({ action: 'edit', filter: { queues: ['q'] }, change });
      expect(edited).toEqual({ matched: 1250, changed: 1250 });
      const held = await engine.tasks.bulk({
        action: 'hold',
        filter: { queues: ['q'], states: ['queued'] },
      });

      expect(held).toEqual({ matched: 1250, changed: 1250 });
      expect(await countsOf(engine, 'q')).toEqual({ held: 1250 });
      const { items } = await engine.tasks.list({ queues: ['q'] }, { limit: 1000 });
      expect(items.every(({ priority }) => priority === 1)).toBe(true);
    });

    it('only counts with dryRun', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b', 'c']);

      const answer = await engine.tasks.bulk({
        action: 'delete',
        filter: { queues: ['q'], keys: ['a', 'c', 'x'] },
        dryRun: true,
      });

      expect(answer).toEqual({ matched: 2, changed: 0 });
      expect(await countsOf(engine, 'q')).toEqual({ queued: 3 });
    });

    it('refuses a filter that names nothing, unless all is said', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);

      for (const filter of [{}, { keys: [] }, { labels: {} }, { search: '' }]) {
        const error = await refusal(engine.tasks.bulk({ action: 'delete', filter }));
        expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'filter' } });
      }
      expect(await countsOf(engine, 'q')).toEqual({ queued: 2 });
      expect(await engine.tasks.bulk({ action: 'delete', filter: {}, all: true })).toEqual({
        matched: 2,
        changed: 2,
      });
    });

    it('leaves alone what left the named states meanwhile', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      await submitOne(engine, 'q', { key: 'late', delayMs: hours(1) });
      await claimOne(engine);

      const answer = await engine.tasks.bulk({
        action: 'delete',
        filter: { queues: ['q'], states: ['queued', 'delayed'] },
      });

      expect(answer).toEqual({ matched: 2, changed: 2 });
      expect(await countsOf(engine, 'q')).toEqual({ running: 1 });
    });

    it('refuses a queue that is not there', async () => {
      await using yard = await subject.open();

      const call = yard.engine.tasks.bulk({ action: 'cancel', filter: { queues: ['nope'] } });
      await expectRefusal(call, 'QUEUE_NOT_FOUND', { queue: 'nope' });
    });
  });
}
