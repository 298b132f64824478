import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  expectRefusal,
  later,
  only,
  refOf,
  renew,
  settle,
  stateOf,
  submitKeys,
  submitOne,
} from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function attemptHolding(subject: EngineUnderTest): void {
  describe('attempts.start', () => {
    it('makes claimed tasks run; said again, they still do', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const items = (await claim(engine, { limit: 2, start: false })).map(refOf);
      await clock.advance(seconds(1));
      const begun = clock.now();

      const answers = await engine.attempts.start(items);
      await clock.advance(seconds(1));
      const again = await engine.attempts.start(items);

      expect(answers.map(({ status }) => status)).toEqual(['held', 'held']);
      expect(again.map(({ status }) => status)).toEqual(['held', 'held']);
      for (const { taskId } of items) {
        expect(await engine.tasks.get(taskId)).toMatchObject({
          state: 'running',
          attempt: { startedAt: begun },
        });
      }
    });

    it('answers each item, in order: lost for what is stale or unknown', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const [a, b] = await claim(engine, { limit: 2, start: false });
      if (!a || !b) throw new Error('two claims are needed');

      const answers = await engine.attempts.start([
        { taskId: a.taskId, fence: a.fence + 1 },
        { taskId: NO_TASK, fence: 1 },
        refOf(b),
        { taskId: a.taskId, fence: null },
      ]);

      expect(answers.map(({ taskId, status }) => [taskId, status])).toEqual([
        [a.taskId, 'lost'],
        [NO_TASK, 'lost'],
        [b.taskId, 'held'],
        [a.taskId, 'held'],
      ]);
    });
  });

  describe('attempts.renew', () => {
    it('moves the lease to now plus the queue’s time, or the time that is said', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(30) });
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await clock.advance(seconds(20));

      const renewed = await renew(engine, held);
      expect(renewed).toEqual({
        taskId: id,
        fence: held.fence,
        status: 'held',
        expiresAt: later(clock.now(), seconds(30)),
      });
      expect((await engine.tasks.get(id)).attempt?.expiresAt).toEqual(renewed.expiresAt);
      const shorter = await renew(engine, held, { leaseMs: seconds(5) });
      expect(shorter.expiresAt).toEqual(later(clock.now(), seconds(5)));
    });

    it('keeps a task from running out', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(30) });
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);

      for (let i = 0; i < 5; i += 1) {
        await clock.advance(seconds(20));
        await renew(engine, held);
      }

      expect(await stateOf(engine, id)).toBe('running');
    });

    it('shows what is known so far; not said, it stays', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);

      await renew(engine, held, { data: { done: 3 } });
      await renew(engine, held);

      expect((await engine.tasks.get(id)).result).toEqual({ done: 3 });
      await settle(engine, held, 'succeeded');
      expect((await engine.tasks.get(id)).result).toEqual({ done: 3 });
    });

    it('says cancelled when the task is to stop, and it is still held', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await engine.tasks.cancel(id);

      expect(await renew(engine, held, { leaseMs: minutes(1) })).toMatchObject({
        status: 'cancelled',
        expiresAt: later(clock.now(), minutes(1)),
      });
    });

    it('says lost when the fence is stale or unknown, and writes nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const first = await claimOne(engine);
      await settle(engine, first, 'released');
      const second = await claimOne(engine);

      const stale = await renew(engine, first, { leaseMs: minutes(9), data: 'stale' });

      expect(stale).toMatchObject({ taskId: id, fence: first.fence, status: 'lost' });
      const task = await engine.tasks.get(id);
      expect(task.result).toBeNull();
      expect(task.attempt?.expiresAt).toEqual(second.expiresAt);
      expect((await renew(engine, { taskId: NO_TASK, fence: null })).status).toBe('lost');
    });

    it('works past the end of the lease while nobody noticed', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(10) });
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await clock.advance(seconds(60));

      expect((await renew(engine, held)).status).toBe('held');
      expect(await stateOf(engine, id)).toBe('running');
    });

    it('with 0 or less gives the task up as if the lease had run out', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxLosses: null, maxAttempts: null });
      const id = await submitOne(engine, 'q');
      for (const leaseMs of [0, -1, -60_000]) {
        const held = await claimOne(engine);

        await renew(engine, held, { leaseMs });

        expect(await engine.tasks.get(id)).toMatchObject({
          state: 'queued',
          attempt: null,
          result: null,
        });
        expect((await engine.attempts.list(id)).at(-1)?.outcome).toBe('orphaned');
      }
      expect((await engine.tasks.get(id)).lossCount).toBe(3);
    });

    it('with fence null acts on whichever attempt is live', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      expect((await renew(engine, { taskId: id, fence: null })).status).toBe('lost');
      const held = await claimOne(engine);

      expect(await renew(engine, { taskId: id, fence: null })).toMatchObject({
        status: 'held',
        fence: held.fence,
      });
    });
  });

  describe('attempts.list and listByNode', () => {
    it('list gives all attempts of a task by fence, the live one last', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: seconds(10) });
      const id = await submitOne(engine, 'q', { key: 'k' });
      expect(await engine.attempts.list(id)).toEqual([]);
      const first = await claimOne(engine, { node: 'n1' });
      await clock.advance(seconds(1));
      await settle(engine, first, 'released', { error: 'not me' });
      const second = await claimOne(engine, { node: 'n2' });

      const attempts = await engine.attempts.list(id);

      expect(attempts).toEqual([
        {
          taskId: id,
          queue: 'q',
          key: 'k',
          fence: first.fence,
          node: 'n1',
          claimedAt: first.claimedAt,
          startedAt: first.claimedAt,
          expiresAt: expect.anything(),
          endedAt: clock.now(),
          outcome: 'released',
          data: null,
          error: 'not me',
          code: null,
          late: null,
        },
        expect.objectContaining({ fence: second.fence, node: 'n2', endedAt: null, outcome: null }),
      ]);
      await expectRefusal(engine.attempts.list(NO_TASK), 'TASK_NOT_FOUND', { task: NO_TASK });
    });

    it('listByNode gives the live ones, or the ended ones with the newest first', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b', 'c', 'd']);
      await claimOne(engine, { node: 'other' });
      for (let i = 0; i < 2; i += 1) {
        const held = await claimOne(engine);
        await clock.advance(seconds(1));
        await settle(engine, held, 'succeeded');
      }
      await claimOne(engine);
      const keys = async (page: { live?: boolean; limit?: number; after?: string | null }) =>
        (await engine.attempts.listByNode('n1', page)).items.map(({ key }) => key);

      expect(await keys({ live: true })).toEqual(['d']);
      expect(await keys({ live: false })).toEqual(['c', 'b']);
      const { next } = await engine.attempts.listByNode('n1', { live: false, limit: 1 });
      expect(next).not.toBeNull();
      expect(await keys({ live: false, limit: 1, after: next })).toEqual(['b']);
      expect(only((await engine.attempts.listByNode('other', { live: true })).items).key).toBe('a');
      expect((await engine.attempts.listByNode('nobody')).items).toEqual([]);
    });
  });
}
