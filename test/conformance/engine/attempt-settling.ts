import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  countsOf,
  only,
  refOf,
  renew,
  settle,
  stateOf,
  submitKeys,
  submitOne,
} from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function attemptSettling(subject: EngineUnderTest): void {
  describe('attempts.settle', () => {
    it('ends an attempt with success: the task has its result', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await clock.advance(seconds(3));

      const answer = await settle(engine, held, 'succeeded', { output: { sum: 7 }, code: 0 });

      expect(answer).toEqual({
        taskId: id,
        fence: held.fence,
        status: 'applied',
        state: 'succeeded',
      });
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'succeeded',
        result: { sum: 7 },
        error: null,
        code: 0,
        attempt: null,
        tryCount: 1,
        lastOutcome: 'succeeded',
        endedAt: clock.now(),
      });
      expect(only(await engine.attempts.list(id))).toMatchObject({
        outcome: 'succeeded',
        data: { sum: 7 },
        code: 0,
        endedAt: clock.now(),
      });
    });

    it('ends an attempt with failure: the task has the reason in words and number', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 1 });
      const id = await submitOne(engine, 'q');

      const answer = await settle(engine, await claimOne(engine), 'failed', {
        error: 'disk full',
        code: 28,
        output: { written: 3 },
      });

      expect(answer.state).toBe('failed');
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'failed',
        error: 'disk full',
        code: 28,
        result: { written: 3 },
        lastOutcome: 'failed',
      });
    });

    it('of a timeout fails the task once its tries are over', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 2 });
      const id = await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'timed-out', { delayMs: 0 });
      expect(await stateOf(engine, id)).toBe('queued');
      await settle(engine, await claimOne(engine), 'timed-out');

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'failed',
        lastOutcome: 'timed-out',
      });
    });

    it('of a released task puts it back at once or after its delay, and does not count', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxAttempts: 1 });
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await renew(engine, held, { data: 'half' });

      await settle(engine, held, 'released');
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'queued',
        tryCount: 0,
        lossCount: 0,
        result: null,
      });

      await settle(engine, await claimOne(engine), 'released', { delayMs: minutes(1) });
      expect(await stateOf(engine, id)).toBe('delayed');
      await clock.advance(minutes(1));
      expect(await claimOne(engine)).toMatchObject({ taskId: id, claimCount: 3, tryCount: 0 });
    });

    it('of a task claimed but not begun and stopped makes it cancelled, of one begun terminated', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);

      const notBegun = await claimOne(engine, { start: false });
      expect((await settle(engine, notBegun, 'cancelled')).state).toBe('cancelled');
      const begun = await claimOne(engine);
      expect((await settle(engine, begun, 'cancelled')).state).toBe('terminated');
    });

    it('ends many at once and answers each in order; a lost one harms no other', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 1 });
      await submitKeys(engine, 'q', ['a', 'b', 'c']);
      const [a, b, c] = await claim(engine, { limit: 3 });
      if (!a || !b || !c) throw new Error('three claims are needed');

      const answers = await engine.attempts.settle([
        { ...refOf(c), outcome: 'succeeded' },
        { taskId: NO_TASK, fence: 1, outcome: 'succeeded' },
        { taskId: a.taskId, fence: a.fence + 7, outcome: 'failed' },
        { ...refOf(b), outcome: 'failed' },
      ]);

      expect(answers.map(({ taskId, status, state }) => [taskId, status, state])).toEqual([
        [c.taskId, 'applied', 'succeeded'],
        [NO_TASK, 'lost', null],
        [a.taskId, 'lost', 'running'],
        [b.taskId, 'applied', 'failed'],
      ]);
      expect(await engine.attempts.settle([])).toEqual([]);
    });

    it('said again changes nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { nextQueue: 'next' });
      await engine.queues.create('next');
      await submitOne(engine, 'q');
      const held = await claimOne(engine);
      const word = { output: 1, emit: [{ params: 'child' }] };
      await settle(engine, held, 'succeeded', word);

      const again = await settle(engine, held, 'succeeded', word);

      expect(again).toMatchObject({ status: 'repeated', state: 'succeeded' });
      expect(await countsOf(engine, 'next')).toEqual({ queued: 1 });
      expect(await engine.attempts.list(held.taskId)).toHaveLength(1);
    });

    it('of a lost attempt is kept as its late word, once, and changes nothing else', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(10) });
      const id = await submitOne(engine, 'q');
      const first = await claimOne(engine);
      await clock.advance(seconds(11));
      const second = await claimOne(engine, { node: 'n2' });

      expect(await settle(engine, first, 'succeeded', { output: 'late' })).toMatchObject({
        status: 'late',
        state: 'running',
      });
      expect((await settle(engine, first, 'failed')).status).toBe('lost');

      const [lost, live] = await engine.attempts.list(id);
      expect(lost).toMatchObject({
        outcome: 'orphaned',
        late: { outcome: 'succeeded', data: 'late', at: clock.now() },
      });
      expect(live).toMatchObject({ fence: second.fence, outcome: null });
      expect((await engine.tasks.get(id)).result).toBeNull();
    });

    it('of success that comes late rescues a failed or parked task, once, with what it emits', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { onLost: 'park', leaseMs: seconds(10), maxAttempts: 1 });
      await engine.queues.create('next');
      await submitKeys(engine, 'q', ['failed', 'parked']);
      const [failed, parked] = await claim(engine, { limit: 2 });
      if (!failed || !parked) throw new Error('two claims are needed');
      await settle(engine, failed, 'failed');
      await clock.advance(seconds(11));
      expect(await stateOf(engine, parked.taskId)).toBe('orphaned');

      for (const held of [failed, parked]) {
        const word = { output: 'after all', emit: [{ queue: 'next' }] };
        expect(await settle(engine, held, 'succeeded', word)).toMatchObject({
          status: 'applied',
          state: 'succeeded',
        });
        await settle(engine, held, 'succeeded', word);
      }

      expect(await countsOf(engine, 'q')).toEqual({ succeeded: 2 });
      expect(await countsOf(engine, 'next')).toEqual({ queued: 2 });
      expect((await engine.tasks.get(parked.taskId)).result).toBe('after all');
    });

    it('past the end of the lease counts while nobody noticed, whichever way it ended', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(10), maxAttempts: 1, nextQueue: 'q' });
      const outcomes = ['succeeded', 'failed', 'timed-out', 'released', 'cancelled'] as const;
      for (const outcome of outcomes) {
        await submitOne(engine, 'q', { priority: 1 });
        const held = await claimOne(engine);
        await clock.advance(seconds(60));

        expect(await settle(engine, held, outcome)).toMatchObject({ status: 'applied' });

        const attempts = await engine.attempts.list(held.taskId);
        expect(attempts.map((attempt) => attempt.outcome)).toEqual([outcome]);
        await engine.tasks.bulk({ action: 'delete', filter: {}, all: true });
      }
    });

    it('of a task whose queue was deleted ends it as its holder says', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const [a, b] = await claim(engine, { limit: 2 });
      if (!a || !b) throw new Error('two claims are needed');
      await engine.queues.delete('q', { tasks: 'keep' });

      expect((await settle(engine, a, 'failed', { error: 'no' })).state).toBe('failed');
      expect((await settle(engine, b, 'succeeded', { emit: [{ key: 'x' }] })).state).toBe(
        'succeeded',
      );
      expect((await engine.tasks.get(a.taskId)).error).toBe('no');
    });

    it('with fence null ends whichever attempt is live', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const anybody = { taskId: id, fence: null };
      expect((await settle(engine, anybody, 'succeeded')).status).toBe('lost');
      expect(await stateOf(engine, id)).toBe('queued');
      const held = await claimOne(engine);

      const answer = await settle(engine, anybody, 'succeeded', { output: 1 });

      expect(answer).toMatchObject({ status: 'applied', fence: held.fence, state: 'succeeded' });
    });

    it('of a result that is too large fails the task and says so, so that it does not hang', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const output = 'x'.repeat(1024 * 1024 + 1);

      const answer = await settle(engine, await claimOne(engine), 'succeeded', { output });

      expect(answer).toMatchObject({ status: 'applied', state: 'failed' });
      expect((await engine.tasks.get(id)).error).toMatch(/output is \d+ bytes; at most \d+/);
    });
  });
}
