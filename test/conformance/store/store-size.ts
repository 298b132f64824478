import { describe, expect, it } from 'vitest';
import { FINAL_STATES } from '../../../src/core/store/index.ts';
import { aClaim, after, aNewTask, aSettlement, at, NOON, seconds } from '../../support/builders.ts';
import { addQueue, addTasks, expectExactCounts, someCounts } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const MANY = 5000;

export function storeSizeConformance(subject: StoreUnderTest): void {
  describe('five thousand tasks', () => {
    it('can be submitted, claimed, started, renewed and settled in one call each', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = await addTasks(
        store,
        queue,
        Array.from({ length: MANY }, (_, index) => aNewTask({ params: index })),
      );

      const claim = aClaim({ queueId: queue.id, limit: MANY, start: false, token: 'all' });
      const claims = await store.attempts.claim(claim, at(NOON));
      const started = await store.attempts.start('default', claims, at(NOON));
      const renewals = claims.map(({ taskId, fence }) => ({ taskId, fence, leaseMs: seconds(60) }));
      const renewed = await store.attempts.renew('default', renewals, at(NOON));
      const settlements = claims.map((one) => aSettlement(one));
      const settled = await store.attempts.settle('default', settlements, at(NOON));

      expect(claims.map(({ taskId }) => taskId)).toEqual(ids);
      expect(started.every(({ status }) => status === 'held')).toBe(true);
      expect(renewed.map(({ taskId }) => taskId)).toEqual(ids);
      expect(settled.every(({ status }) => status === 'applied')).toBe(true);
      expect(await someCounts(store, queue)).toEqual({ succeeded: MANY });
    });

    it('can be peeked at, edited, moved and deleted in one call each', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const tasks = Array.from({ length: MANY }, () => aNewTask());
      const ids = await addTasks(store, queue, tasks);
      const some = { namespace: 'default', ids };

      const edited = await store.tasks.edit({ ...some, change: { priority: 1 } }, at(NOON));
      const moved = await store.tasks.move({ ...some, move: 'hold' }, at(NOON));
      const peeked = await store.tasks.peek('default', ids);

      expect(edited.map((task) => task?.id)).toEqual(ids);
      expect(moved.map(({ id }) => id)).toEqual(ids);
      expect(peeked.every((task) => task?.state === 'held' && task.priority === 1)).toBe(true);
      expect(await store.tasks.delete(some, at(NOON))).toBe(MANY);
      await expectExactCounts(store);
    });

    it('can expire and be purged', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { onLost: 'fail', leaseMs: 1000 });
      await addTasks(
        store,
        queue,
        Array.from({ length: MANY }, () => aNewTask()),
      );
      await store.attempts.claim(aClaim({ queueId: queue.id, limit: MANY }), at(NOON));
      const later = after(NOON, seconds(2));

      const { expired } = await store.attempts.expireDue({ now: later, limit: MANY });
      const purge = { queueId: queue.id, states: FINAL_STATES, endedBefore: after(later, 1) };
      const purged = await store.tasks.purge({ ...purge, limit: MANY }, at(later));

      expect([expired, purged]).toEqual([MANY, MANY]);
      await expectExactCounts(store, later);
    });
  });
}
