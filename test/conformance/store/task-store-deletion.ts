import { describe, expect, it } from 'vitest';
import { FINAL_STATES } from '../../../src/core/store/index.ts';
import {
  aBeat,
  after,
  aNewTask,
  anId,
  aSettlement,
  at,
  goTo,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  claimOne,
  expectExactCounts,
  listAttempts,
  listTasks,
  someCounts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function taskDeletionConformance(subject: StoreUnderTest): void {
  describe('tasks.delete', () => {
    it('deletes tasks in any state, with attempts and output, and counts them', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ended = await addClaimed(store, queue);
      const chunk = { number: 1, stream: 'stdout', offset: 0, bytes: textBytes('x') } as const;
      const { taskId, fence } = ended;
      const append = { namespace: 'default', taskId, fence, chunks: [chunk] };
      await store.outputs.append(append, at(NOON));
      await store.attempts.settle('default', [aSettlement(ended)], at(NOON));
      const ids = [
        taskId,
        await addTask(store, queue),
        await addTask(store, queue, { delayMs: 1 }),
      ];

      expect(await store.tasks.delete({ namespace: 'default', ids }, at(NOON))).toBe(3);

      expect(await listTasks(store)).toEqual([]);
      expect(await listAttempts(store, taskId)).toEqual([]);
      expect(await store.outputs.read({ taskId, fence, after: 0, limitBytes: 9 })).toEqual([]);
      expect(await store.attempts.nextDue('default')).toBeNull();
      await expectExactCounts(store);
    });

    it('does not count ids that are unknown, of others, gone already or there twice', async () => {
      await using store = await subject.open();
      const mine = await addTask(store, await addQueue(store));
      const theirs = await addTask(store, await addQueue(store, { namespace: 'theirs' }));
      const ids = [mine, anId(), theirs, mine];

      expect(await store.tasks.delete({ namespace: 'default', ids }, at(NOON))).toBe(1);
      expect(await store.tasks.delete({ namespace: 'default', ids }, at(NOON))).toBe(0);
      expect(await store.tasks.find('theirs', theirs, at(NOON))).not.toBeNull();
    });

    it('leaves tasks alone that are in other states than `onlyStates`', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = [await addTask(store, queue), await addTask(store, queue, { hold: 'operator' })];

      const deletion = { namespace: 'default', ids, onlyStates: ['held', 'failed'] } as const;

      expect(await store.tasks.delete(deletion, at(NOON))).toBe(1);
      expect(await someCounts(store, queue)).toEqual({ queued: 1 });
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = [await addTask(store, queue, { delayMs: 1000 })];

      const deletion = { namespace: 'default', ids, onlyStates: ['queued'] } as const;

      expect(await store.tasks.delete(deletion, at(NOON))).toBe(0);
      expect(await store.tasks.delete(deletion, at(after(NOON, 1000)))).toBe(1);
    });

    it('takes the lease from live attempts, and their node has room again', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 1 });
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      const { taskId, fence } = await addClaimed(store, queue);
      await addTask(store, queue);

      await store.tasks.delete({ namespace: 'default', ids: [taskId] }, at(NOON));

      expect(
        await store.attempts.settle('default', [aSettlement({ taskId, fence })], at(NOON)),
      ).toEqual([{ taskId, fence, status: 'lost', state: null }]);
      await expectExactCounts(store);
      await claimOne(store, queue);
    });

    it('leaves the key free for a task that knows nothing of the old one', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const key = textBytes('k');
      const claim = await addClaimed(store, queue, { key });
      await store.tasks.delete({ namespace: 'default', ids: [claim.taskId] }, at(NOON));

      const fresh = aNewTask({ key });
      const submission = { queueId: queue.id, tasks: [fresh], onConflict: 'refuse' } as const;

      expect(await store.tasks.submit(submission, at(NOON))).toMatchObject({ status: 'submitted' });
      expect((await store.tasks.findByKey(queue.id, key, at(NOON)))?.id).toBe(fresh.id);
      expect((await claimOne(store, queue)).fence).toBe(1);
    });
  });

  describe('tasks.purge', () => {
    it('deletes finished tasks of the states given that ended before the instant', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const endAt = async (now: Date, outcome: 'succeeded' | 'failed') => {
        await addTask(store, queue, {}, now);
        const claim = await claimOne(store, queue, {}, now);
        await store.attempts.settle('default', [aSettlement(claim, { outcome })], at(now));
        return claim.taskId;
      };
      const old = await endAt(NOON, 'succeeded');
      const oldFailed = await endAt(NOON, 'failed');
      const fresh = await endAt(after(NOON, seconds(1)), 'succeeded');
      const purge = (states: readonly ('succeeded' | 'failed')[], endedBefore: Date) =>
        store.tasks.purge({ queueId: queue.id, states, endedBefore, limit: 100 }, at(NOON));

      expect(await purge(['succeeded'], NOON)).toBe(0);
      expect(await purge(['succeeded'], after(NOON, seconds(1)))).toBe(1);
      const left = [old, oldFailed, fresh].map((id) => stateOf(store, id));
      expect(await Promise.all(left)).toEqual([null, 'failed', 'succeeded']);
      expect(await listAttempts(store, old)).toEqual([]);
      expect(await purge(['succeeded', 'failed'], after(NOON, seconds(2)))).toBe(2);
      await expectExactCounts(store);
    });

    it('takes those that ended first, at most `limit` of them', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const other = await addQueue(store);
      const [first, second, third] = [
        await addClaimed(store, queue),
        await addClaimed(store, queue),
        await addClaimed(store, queue),
      ];
      for (const [index, claim] of [third, first, second].entries()) {
        await store.attempts.settle('default', [aSettlement(claim)], at(after(NOON, index)));
      }
      const elsewhere = await addClaimed(store, other);
      await store.attempts.settle('default', [aSettlement(elsewhere)], at(NOON));
      const endedBefore = after(NOON, seconds(1));
      const purge = { queueId: queue.id, states: FINAL_STATES, endedBefore, limit: 2 };

      expect(await store.tasks.purge(purge, at(NOON))).toBe(2);
      expect((await listTasks(store, { queueIds: [queue.id] })).map(({ id }) => id)).toEqual([
        second.taskId,
      ]);
      expect(await store.tasks.purge(purge, at(NOON))).toBe(1);
      expect(await store.tasks.purge(purge, at(NOON))).toBe(0);
      expect(await stateOf(store, elsewhere.taskId)).toBe('succeeded');
    });

    it('never takes a task that waits or is live, whatever it is asked', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const retried = await addClaimed(store, queue);
      await store.attempts.settle(
        'default',
        [aSettlement(retried, { outcome: 'failed', next: goTo('queued') })],
        at(NOON),
      );
      await addTask(store, queue, { hold: 'operator' });
      const purge = {
        queueId: queue.id,
        states: ['queued', 'held', 'running', 'succeeded'] as const,
        endedBefore: after(NOON, seconds(9)),
        limit: 100,
      };

      expect(await store.tasks.purge(purge, at(NOON))).toBe(0);
      expect(await someCounts(store, queue)).toEqual({ queued: 1, held: 1 });
      expect(await store.tasks.purge({ ...purge, queueId: anId() }, at(NOON))).toBe(0);
    });
  });
}
