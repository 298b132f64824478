import { describe, expect, it } from 'vitest';
import { bytes, minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  countsOf,
  later,
  listByKey,
  only,
  settle,
  stateOf,
  submitKeys,
  submitOne,
} from './scene.ts';

export function attemptConsequences(subject: EngineUnderTest): void {
  describe('emitted tasks', () => {
    it('go to the queue they name, or to the next queue, with all their fields', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { nextQueue: 'next' });
      await engine.queues.create('next');
      await engine.queues.create('named');
      await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'succeeded', {
        emit: [
          { params: { n: 1 }, labels: { by: 'q' } },
          { queue: 'named', key: 'k', priority: 4, delayMs: minutes(1) },
        ],
      });

      const next = only(await listByKeyless(engine, 'next'));
      expect(next).toMatchObject({ state: 'queued', params: { n: 1 }, labels: { by: 'q' } });
      expect(only(await listByKey(engine, 'named'))).toMatchObject({
        state: 'delayed',
        key: 'k',
        priority: 4,
        notBefore: later(clock.now(), minutes(1)),
      });
    });

    it('are dropped when they have nowhere to go', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q');

      const answer = await settle(engine, await claimOne(engine), 'succeeded', {
        emit: [{ key: 'no next queue' }, { queue: 'gone' }],
      });

      expect(answer).toMatchObject({ status: 'applied', state: 'succeeded' });
      expect((await engine.tasks.list()).items).toHaveLength(1);
    });

    it('replace a task of the same key, or are skipped', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { nextQueue: 'next' });
      await engine.queues.create('next', { paused: true });
      await submitKeys(engine, 'next', ['a', 'b']);
      await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'succeeded', {
        emit: [
          { key: 'a', params: 'new' },
          { key: 'b', params: 'new', onConflict: 'skip' },
        ],
      });

      const tasks = await listByKey(engine, 'next');
      expect(tasks.map(({ key, params }) => [key, params])).toEqual([
        ['a', 'new'],
        ['b', null],
      ]);
    });

    it('come with failures as well, and with every try that counts', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { nextQueue: 'next' });
      await engine.queues.create('next');
      await submitOne(engine, 'q');

      const emit = [{ key: bytes(7), params: 'from a failure' }];
      await settle(engine, await claimOne(engine), 'failed', { final: true, emit });

      expect(await countsOf(engine, 'next')).toEqual({ queued: 1 });
    });

    it('wait for admission in a gated queue', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { nextQueue: 'gated' });
      await engine.queues.create('gated', { admission: 'gated' });
      await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'succeeded', { emit: [{ key: 'k' }] });

      expect(only(await listByKey(engine, 'gated'))).toMatchObject({
        state: 'held',
        hold: 'admission',
      });
    });
  });

  describe('again', () => {
    it('sends the task to the back of its queue as a new round, not as a try', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 1 });
      const [a = ''] = await submitKeys(engine, 'q', ['a', 'b']);

      const answer = await settle(engine, await claimOne(engine), 'succeeded', {
        again: {},
        output: 'so far',
      });

      expect(answer).toMatchObject({ status: 'applied', state: 'queued' });
      expect(await engine.tasks.get(a)).toMatchObject({
        state: 'queued',
        roundCount: 1,
        tryCount: 0,
        lossCount: 0,
        lastOutcome: 'continued',
      });
      expect(await claimKeys(engine, { limit: 2 })).toEqual(['b', 'a']);
      expect(await engine.attempts.list(a)).toMatchObject([
        { outcome: 'continued', data: 'so far' },
        { outcome: null },
      ]);
    });

    it('may wait, and may change the params', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { params: { page: 1 } });

      await settle(engine, await claimOne(engine), 'succeeded', {
        again: { delayMs: minutes(1), params: { page: 2 } },
      });

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'delayed',
        params: { page: 2 },
        notBefore: later(clock.now(), minutes(1)),
      });
      await clock.advance(minutes(1));
      expect(await claimOne(engine)).toMatchObject({ params: { page: 2 }, roundCount: 1 });
    });

    it('emits with every round', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { nextQueue: 'next' });
      await engine.queues.create('next');
      const id = await submitOne(engine, 'q');
      for (let round = 0; round < 3; round += 1) {
        const emit = [{ params: { round } }];
        const held = await claimOne(engine, { queues: ['q'] });
        await settle(engine, held, 'succeeded', { emit, ...(round < 2 && { again: {} }) });
      }

      expect(await stateOf(engine, id)).toBe('succeeded');
      expect(await countsOf(engine, 'next')).toEqual({ queued: 3 });
    });

    it('is not heeded once the task is to be cancelled', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await engine.tasks.cancel(id);

      const answer = await settle(engine, held, 'succeeded', { again: {} });

      expect(answer.state).toBe('terminated');
      expect(await claim(engine)).toEqual([]);
    });
  });

  describe('continuous queues', () => {
    it('make a task of their own for whoever asks, at most one per interval', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { continuous: true, intervalMs: seconds(10) });

      const [first, second] = await Promise.all([claim(engine), claim(engine, { node: 'n2' })]);
      expect([...first, ...second]).toHaveLength(1);
      await settle(engine, only([...first, ...second]), 'succeeded');
      expect(await claim(engine)).toEqual([]);

      expect((await engine.queues.get('q')).nextContinuousAt).toEqual(
        later(clock.now(), seconds(10)),
      );
      await clock.advance(seconds(10));
      expect(await claim(engine)).toHaveLength(1);
    });

    it('make none while one of their tasks waits or runs, or while paused', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { continuous: true });
      await submitOne(engine, 'q', { key: 'own' });
      expect(await claimKeys(engine, { limit: 5 })).toEqual(['own']);
      expect(await claim(engine)).toEqual([]);
      await settle(engine, { taskId: await idOf(engine, 'own'), fence: null }, 'succeeded');

      await engine.queues.pause('q');
      await clock.advance(seconds(1));
      expect(await claim(engine)).toEqual([]);
      await engine.queues.resume('q');
      expect(await claim(engine)).toHaveLength(1);
    });

    it('wake a claim that waits when their time has come', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { continuous: true, intervalMs: seconds(5) });
      await settle(engine, await claimOne(engine), 'succeeded');
      const waits = claim(engine, { waitMs: seconds(30) });

      await clock.advance(seconds(7));

      expect(await waits).toHaveLength(1);
    });
  });
}

async function listByKeyless(engine: Parameters<typeof listByKey>[0], queue: string) {
  return (await engine.tasks.list({ queues: [queue] })).items;
}

async function idOf(engine: Parameters<typeof listByKey>[0], key: string): Promise<string> {
  return (await engine.tasks.findByKey('q', key))?.id ?? '';
}
