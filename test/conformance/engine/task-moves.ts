import { describe, expect, it } from 'vitest';
import { hours, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  expectRefusal,
  later,
  only,
  refOf,
  renew,
  settle,
  stateOf,
  submitOne,
} from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function taskMoves(subject: EngineUnderTest): void {
  describe('tasks.edit', () => {
    it('changes what is given, keeps the rest, and answers the task', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { params: 1, labels: { a: '1' }, priority: 2 });

      const task = await engine.tasks.edit(id, { priority: 5, labels: { b: '2' } });

      expect(task).toMatchObject({ params: 1, priority: 5, labels: { b: '2' } });
      expect(await engine.tasks.get(id)).toEqual(task);
    });

    it('moves a waiting task in its queue', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'a' });
      const b = await submitOne(engine, 'q', { key: 'b' });
      await submitOne(engine, 'q', { key: 'c', priority: 1 });

      await engine.tasks.edit(b, { priority: 1, priorityBy: 0.5 });

      expect(await claimKeys(engine, { limit: 3 })).toEqual(['b', 'c', 'a']);
    });

    it('delays and readies a waiting task by notBefore', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const notBefore = later(clock.now(), hours(1));

      expect(await engine.tasks.edit(id, { notBefore })).toMatchObject({
        state: 'delayed',
        notBefore,
      });
      expect(await claim(engine)).toEqual([]);
      expect(await engine.tasks.edit(id, { notBefore: null })).toMatchObject({ state: 'queued' });
      expect(await claim(engine)).toHaveLength(1);
    });

    it('refuses a task that is not there', async () => {
      await using yard = await subject.open();

      const edit = yard.engine.tasks.edit(NO_TASK, { priority: 1 });
      await expectRefusal(edit, 'TASK_NOT_FOUND', { task: NO_TASK });
    });
  });

  describe('tasks.cancel', () => {
    it('cancels a task that waits, is delayed, held or parked', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { onLost: 'park' });
      const parked = await submitOne(engine, 'q');
      await claimOne(engine);
      await clock.advance(seconds(31));
      const ids = [
        parked,
        await submitOne(engine, 'q'),
        await submitOne(engine, 'q', { delayMs: 1000 }),
        await submitOne(engine, 'q', { hold: true }),
      ];

      for (const id of ids) {
        const task = await engine.tasks.cancel(id);
        expect(task).toMatchObject({ state: 'cancelled', endedAt: clock.now() });
      }
      expect(await claim(engine, { limit: 10 })).toEqual([]);
    });

    it('asks the node of a running task to stop, and it is terminated once it says so', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);

      const asked = await engine.tasks.cancel(id);

      expect(asked).toMatchObject({ state: 'running', cancelRequestedAt: clock.now() });
      expect((await renew(engine, held)).status).toBe('cancelled');
      expect(await settle(engine, held, 'cancelled')).toMatchObject({
        status: 'applied',
        state: 'terminated',
      });
      expect(only(await engine.attempts.list(id)).outcome).toBe('cancelled');
    });

    it('of a running task may be said again', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      await claimOne(engine);
      const first = await engine.tasks.cancel(id);
      await clock.advance(1000);

      expect((await engine.tasks.cancel(id)).state).toBe('running');

      expect((await engine.tasks.get(id)).cancelRequestedAt).toEqual(first.cancelRequestedAt);
    });

    it('keeps a task from being tried again, however its attempt ends', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxAttempts: 5, leaseMs: seconds(10) });
      const end = {
        failed: 'terminated',
        released: 'terminated',
        'timed-out': 'terminated',
        succeeded: 'succeeded',
      } as const;
      for (const outcome of Object.keys(end) as (keyof typeof end)[]) {
        const id = await submitOne(engine, 'q');
        const held = await claimOne(engine);
        await engine.tasks.cancel(id);
        expect((await settle(engine, held, outcome)).state).toBe(end[outcome]);
      }
      for (const onLost of ['requeue', 'park', 'fail'] as const) {
        await engine.queues.set('q', { onLost });
        const lost = await submitOne(engine, 'q');
        await claimOne(engine);
        await engine.tasks.cancel(lost);
        await clock.advance(seconds(11));
        expect(await stateOf(engine, lost)).toBe('terminated');
      }
    });

    it('of a task claimed but not begun cancels it, and its node must not begin', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine, { start: false });

      expect((await engine.tasks.cancel(id)).state).toBe('cancelled');

      expect(only(await engine.attempts.start([refOf(held)])).status).not.toBe('held');
      expect(await stateOf(engine, id)).toBe('cancelled');
    });

    it('refuses a task that has ended, and says how', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      await settle(engine, await claimOne(engine), 'succeeded');

      await expectRefusal(engine.tasks.cancel(id), 'TASK_STATE', { task: id, state: 'succeeded' });
      await expectRefusal(engine.tasks.cancel(NO_TASK), 'TASK_NOT_FOUND', { task: NO_TASK });
    });
  });

  describe('tasks.retry', () => {
    it('puts an ended task back with fresh tries and no result', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 1 });
      const id = await submitOne(engine, 'q');
      for (const outcome of ['failed', 'succeeded', 'cancelled', 'timed-out'] as const) {
        const held = await claimOne(engine);
        await settle(engine, held, outcome, { output: 'old', error: 'old', code: 7 });

        const task = await engine.tasks.retry(id);

        expect(task).toMatchObject({
          state: 'queued',
          result: null,
          error: null,
          code: null,
          tryCount: 0,
          lossCount: 0,
          cancelRequestedAt: null,
          endedAt: null,
        });
      }
      expect(await engine.attempts.list(id)).toHaveLength(4);
    });

    it('brings a delayed task to the front of time', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { delayMs: hours(1) });

      expect(await engine.tasks.retry(id)).toMatchObject({ state: 'queued' });
      expect(await claim(engine)).toHaveLength(1);
    });

    it('refuses a task that waits or runs', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');

      await expectRefusal(engine.tasks.retry(id), 'TASK_STATE', { state: 'queued' });
      await claimOne(engine);
      await expectRefusal(engine.tasks.retry(id), 'TASK_STATE', { state: 'running' });
      await expectRefusal(engine.tasks.retry(NO_TASK), 'TASK_NOT_FOUND');
    });
  });

  describe('tasks.hold and release', () => {
    it('keep a waiting task from claims, and let it go; both may be said again', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');

      for (let i = 0; i < 2; i += 1) {
        expect(await engine.tasks.hold(id)).toMatchObject({ state: 'held', hold: 'operator' });
      }
      expect(await claim(engine)).toEqual([]);
      expect(await engine.tasks.release(id)).toMatchObject({ state: 'queued', hold: null });
      expect(await claim(engine)).toHaveLength(1);
    });

    it('release gives a task back to its time', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { delayMs: hours(1) });
      await engine.tasks.hold(id);

      expect((await engine.tasks.release(id)).state).toBe('delayed');
    });

    it('refuse a task in another state', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      await expectRefusal(engine.tasks.release(id), 'TASK_STATE', { state: 'queued' });
      await claimOne(engine);

      await expectRefusal(engine.tasks.hold(id), 'TASK_STATE', { state: 'running' });
      await expectRefusal(engine.tasks.hold(NO_TASK), 'TASK_NOT_FOUND');
      await expectRefusal(engine.tasks.release(NO_TASK), 'TASK_NOT_FOUND');
    });
  });

  describe('tasks.delete', () => {
    it('takes the task away with attempts and output; its lease is lost', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k' });
      const held = await claimOne(engine);

      await engine.tasks.delete(id);

      expect(await engine.tasks.find(id)).toBeNull();
      expect(await engine.tasks.findByKey('q', 'k')).toBeNull();
      expect((await renew(engine, held)).status).toBe('lost');
      await expectRefusal(engine.tasks.delete(id), 'TASK_NOT_FOUND', { task: id });
      expect(await submitOne(engine, 'q', { key: 'k' })).not.toBe(id);
    });
  });
}
