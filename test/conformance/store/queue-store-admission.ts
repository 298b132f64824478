import { describe, expect, it } from 'vitest';
import {
  aClaim,
  after,
  aNewTask,
  anId,
  aSettlement,
  at,
  goTo,
  NOON,
  seconds,
} from '../../support/builders.ts';
import {
  addQueue,
  addTask,
  addTasks,
  changeQueue,
  claimOne,
  expectExactCounts,
  getTask,
  someCounts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function admissionConformance(subject: StoreUnderTest): void {
  describe('queues.admit', () => {
    it('leaves tasks of a gated queue held until they are admitted', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const id = await addTask(store, queue);

      expect(await getTask(store, id)).toMatchObject({ state: 'held', hold: 'admission' });
      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
      const admission = { queueId: queue.id, limit: 1, lease: null };
      expect(await store.queues.admit(admission, at(NOON))).toEqual({ admitted: 1 });
      expect(await getTask(store, id)).toMatchObject({ state: 'queued', hold: null });
      expect((await claimOne(store, queue)).taskId).toBe(id);
    });

    it('admits by priority, then rank', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const [first = '', second = '', urgent = ''] = await addTasks(store, queue, [
        aNewTask(),
        aNewTask(),
        aNewTask({ priority: 1 }),
      ]);

      await store.queues.admit({ queueId: queue.id, limit: 2, lease: null }, at(NOON));

      expect(await stateOf(store, urgent)).toBe('queued');
      expect(await stateOf(store, first)).toBe('queued');
      expect(await stateOf(store, second)).toBe('held');
    });

    it('admits at most limit − admitted − live', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      await addTasks(
        store,
        queue,
        Array.from({ length: 6 }, () => aNewTask()),
      );
      const admit = (limit: number) =>
        store.queues.admit({ queueId: queue.id, limit, lease: null }, at(NOON));

      expect(await admit(2)).toEqual({ admitted: 2 });
      expect(await admit(2)).toEqual({ admitted: 0 });
      const claim = await claimOne(store, queue, { start: false });
      expect(await admit(3)).toEqual({ admitted: 1 });
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      expect(await admit(3)).toEqual({ admitted: 1 });
      expect(await admit(0)).toEqual({ admitted: 0 });
      expect(await someCounts(store, queue)).toEqual({ queued: 3, held: 2, succeeded: 1 });
      await expectExactCounts(store);
    });

    it('never goes beyond the limit, however many controllers admit at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      await addTasks(
        store,
        queue,
        Array.from({ length: 30 }, () => aNewTask()),
      );

      await Promise.all(
        Array.from({ length: 8 }, () =>
          store.queues.admit({ queueId: queue.id, limit: 5, lease: null }, at(NOON)),
        ),
      );

      expect(await someCounts(store, queue)).toEqual({ queued: 5, held: 25 });
    });

    it('leaves tasks alone that are delayed or held for another reason', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      await addTask(store, queue, { delayMs: seconds(10) });
      await addTask(store, queue, { hold: 'operator' });
      const admit = (now: Date) =>
        store.queues.admit({ queueId: queue.id, limit: 9, lease: null }, at(now));

      expect(await admit(NOON)).toEqual({ admitted: 0 });
      expect(await admit(after(NOON, seconds(10)))).toEqual({ admitted: 1 });
    });

    it('admits nothing in an open queue', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { hold: 'operator' });

      expect(
        await store.queues.admit({ queueId: queue.id, limit: 9, lease: null }, at(NOON)),
      ).toEqual({
        admitted: 0,
      });
    });

    it('answers `missing` for a queue that is not there or was deleted', async () => {
      await using store = await subject.open();
      const { id } = await addQueue(store, { admission: 'gated' });
      await store.queues.delete({ id, tasks: 'refuse' }, at(NOON));

      for (const queueId of [id, anId()]) {
        expect(await store.queues.admit({ queueId, limit: 1, lease: null }, at(NOON))).toBe(
          'missing',
        );
      }
    });

    it('admits under a lease only while that lease is held under that term', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      await addTasks(
        store,
        queue,
        Array.from({ length: 3 }, () => aNewTask()),
      );
      const acquire = (holder: string, now: Date) =>
        store.leases.acquire({ name: 'controller', holder, ttlMs: seconds(10) }, at(now));
      const admit = (term: number, now: Date, name = 'controller') =>
        store.queues.admit({ queueId: queue.id, limit: 9, lease: { name, term } }, at(now));
      const over = after(NOON, seconds(10));

      expect(await admit(1, NOON)).toBe('lease-lost');
      const { term } = await acquire('a', NOON);
      expect(await admit(term + 1, NOON)).toBe('lease-lost');
      expect(await admit(term, NOON, 'another')).toBe('lease-lost');
      expect(await admit(term, over)).toBe('lease-lost');
      expect(await someCounts(store, queue)).toEqual({ held: 3 });
      expect(await admit(term, after(over, -1))).toEqual({ admitted: 3 });
      await acquire('b', over);
      expect(await admit(term, over)).toBe('lease-lost');
      await store.leases.release('controller', 'b', at(over));
      expect(await admit(term + 1, over)).toBe('lease-lost');
    });
  });

  describe('a gated queue', () => {
    it('needs a new admission for a task that goes back to it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const id = await addTask(store, queue);
      const admission = { queueId: queue.id, limit: 9, lease: null };
      await store.queues.admit(admission, at(NOON));
      const claim = await claimOne(store, queue);

      const failing = aSettlement(claim, { outcome: 'failed', next: goTo('queued') });
      const answers = await store.attempts.settle('default', [failing], at(NOON));

      expect(answers).toMatchObject([{ status: 'applied', state: 'held' }]);
      expect((await getTask(store, id)).hold).toBe('admission');
    });

    it('holds a delayed task for admission once it is due', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const id = await addTask(store, queue, { delayMs: seconds(10) });

      expect(await stateOf(store, id)).toBe('delayed');
      expect(await getTask(store, id, after(NOON, seconds(10)))).toMatchObject({
        state: 'held',
        hold: 'admission',
      });
    });

    it('lets all of them in when it is opened, and those already in stay when it is gated', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const waiting = await addTask(store, queue);
      const held = await addTask(store, queue, { hold: 'operator' });

      await changeQueue(store, queue, { admission: 'open' });
      expect([await stateOf(store, waiting), await stateOf(store, held)]).toEqual([
        'queued',
        'held',
      ]);
      await changeQueue(store, queue, { admission: 'gated' });
      expect(await stateOf(store, waiting)).toBe('queued');
      await expectExactCounts(store);
    });
  });
}
