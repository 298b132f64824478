import { describe, expect, it } from 'vitest';
import { noCounts, type OperatorMove, type Store } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewTask,
  aSettlement,
  at,
  goTo,
  minutes,
  NOON,
  seconds,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  expectExactCounts,
  getQueue,
  someCounts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function queueCountsConformance(subject: StoreUnderTest): void {
  describe('queues.counts', () => {
    it('gives every queue, empty ones too, by namespace and name', async () => {
      await using store = await subject.open();
      for (const [namespace, name] of [
        ['b', 'x'],
        ['a', '\uff5e'],
        ['a', '😀'],
        ['', 'z'],
      ]) {
        await addQueue(store, { namespace: namespace ?? '', name: name ?? '' });
      }

      const all = await store.queues.counts(null, at(NOON));

      expect(all.map((one) => [one.namespace, one.queue])).toEqual([
        ['', 'z'],
        ['a', '😀'],
        ['a', '\uff5e'],
        ['b', 'x'],
      ]);
      expect(all[0]?.counts).toEqual(noCounts());
      const some = await store.queues.counts('a', at(NOON));
      expect(some).toEqual(all.filter((one) => one.namespace === 'a'));
      expect(await store.queues.counts('unknown', at(NOON))).toEqual([]);
    });

    it('is as of now: delayed tasks that are due are queued, leases that are over are ended', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(10), onLost: 'park' });
      await addClaimed(store, queue);
      await addTask(store, queue, { delayMs: seconds(5) });

      expect(await someCounts(store, queue, after(NOON, seconds(4)))).toEqual({
        running: 1,
        delayed: 1,
      });
      expect(await someCounts(store, queue, after(NOON, seconds(5)))).toEqual({
        running: 1,
        queued: 1,
      });
      expect(await someCounts(store, queue, after(NOON, seconds(10)))).toEqual({
        orphaned: 1,
        queued: 1,
      });
      await expectExactCounts(store, after(NOON, seconds(10)));
    });

    it('deals with at most 1,000 due tasks in one look, and in the end with all', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const tasks = Array.from({ length: 1100 }, () => aNewTask({ delayMs: 1000 }));
      await addTasks(store, queue, tasks);
      const later = after(NOON, 1000);

      const first = await someCounts(store, queue, later);
      const second = await someCounts(store, queue, later);

      expect(first.queued).toBeLessThanOrEqual(1000);
      expect((first.queued ?? 0) + (first.delayed ?? 0)).toBe(1100);
      expect(second).toEqual({ queued: 1100 });
    });

    it('stays exact when many submit, claim and settle at once', async () => {
      await using store = await subject.open();
      const queues = [await addQueue(store), await addQueue(store, { maxRunning: 3 })];
      const picks = queues.map(({ id }) => ({ queueId: id, count: 3 }));

      await Promise.all(
        Array.from({ length: 6 }, async (_, worker) => {
          for (let round = 0; round < 8; round++) {
            for (const queue of queues) await addTasks(store, queue, [aNewTask(), aNewTask()]);
            const node = `node-${worker}`;
            const claims = await store.attempts.claim(aClaim({ picks, limit: 5, node }), at(NOON));
            const items = claims.map((claim, index) =>
              aSettlement(claim, index % 3 ? {} : { outcome: 'failed', next: goTo('queued') }),
            );
            await store.attempts.settle('default', items, at(NOON));
          }
        }),
      );

      await expectExactCounts(store);
    });

    it('is exact after every kind of move', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: minutes(1) });
      const steps = everyMove(store, queue);

      for (const step of steps) {
        await step();
        await expectExactCounts(store);
      }

      await expectExactCounts(store, after(NOON, minutes(2)));
    });
  });

  describe('queues.heads', () => {
    it('gives every queue of the namespace, by name, with its settings and counts', async () => {
      await using store = await subject.open();
      const second = await addQueue(store, { name: 'b' });
      const first = await addQueue(store, { name: 'a', weight: 3, paused: true });
      await addQueue(store, { namespace: 'other' });
      await addTask(store, second);

      expect(await store.queues.heads('default', at(NOON))).toEqual([
        { queue: await getQueue(store, first), counts: noCounts() },
        { queue: await getQueue(store, second), counts: { ...noCounts(), queued: 1 } },
      ]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { delayMs: seconds(5) });

      const [early] = await store.queues.heads('default', at(after(NOON, seconds(4))));
      const [late] = await store.queues.heads('default', at(after(NOON, seconds(5))));

      expect([early?.counts.delayed, early?.counts.queued]).toEqual([1, 0]);
      expect([late?.counts.delayed, late?.counts.queued]).toEqual([0, 1]);
    });
  });
}

/** Leads tasks along every arrow there is, one step at a time. */
function everyMove(store: Store, queue: { id: string }): (() => Promise<unknown>)[] {
  const move = (ids: string[], name: OperatorMove) =>
    store.tasks.move({ namespace: 'default', ids, move: name }, at(NOON));
  const settle = async (overrides: Parameters<typeof aSettlement>[1], start = true) => {
    const claim = await claimOne(store, queue, { start });
    await store.attempts.settle('default', [aSettlement(claim, overrides)], at(NOON));
    return claim.taskId;
  };
  return [
    () => addTask(store, queue, { delayMs: minutes(1) }),
    () => addTask(store, queue, { hold: 'operator' }),
    () => addTask(store, queue, { external: true }),
    async () => move([await addTask(store, queue)], 'cancel'),
    async () => move([await addTask(store, queue, { hold: 'operator' })], 'release'),
    () => settle({}),
    () => addTask(store, queue),
    () => settle({ outcome: 'failed', next: goTo('queued') }),
    () => settle({ outcome: 'released' }, false),
    () => settle({ outcome: 'failed', next: goTo('queued', { delayMs: 1000 }) }),
    () => addTask(store, queue),
    async () => move([await settle({ outcome: 'failed' })], 'retry'),
    () => settle({ outcome: 'failed', next: goTo('held', { hold: 'quarantined' }) }),
    () => addTask(store, queue),
    async () => move([await settle({ outcome: 'orphaned' })], 'cancel'),
    () => addTask(store, queue),
    async () => move([(await claimOne(store, queue, { start: false })).taskId], 'cancel'),
    () => addTask(store, queue),
    async () => move([(await claimOne(store, queue)).taskId], 'cancel'),
    () => addTask(store, queue),
    async () => {
      const { taskId, fence } = await claimOne(store, queue, { start: false });
      await store.attempts.start('default', [{ taskId, fence }], at(NOON));
    },
    () => addTask(store, queue),
    async () => {
      const claim = await claimOne(store, queue);
      await store.attempts.renew('default', [{ ...claim, leaseMs: 0 }], at(NOON));
    },
    async () => {
      const { taskId } = await claimOne(store, queue);
      await store.tasks.delete({ namespace: 'default', ids: [taskId] }, at(NOON));
    },
  ];
}
