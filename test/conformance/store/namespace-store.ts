import { describe, expect, it } from 'vitest';
import { aBeat, aClaim, after, aSettlement, at, minutes, NOON } from '../../support/builders.ts';
import { addClaimed, addQueue, addTask, aQuery, expectExactCounts } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function namespaceStoreConformance(subject: StoreUnderTest): void {
  describe('namespaces', () => {
    it('lists none at first, then all by name in order of UTF-16 code units', async () => {
      await using store = await subject.open();
      expect(await store.namespaces.list()).toEqual([]);

      for (const name of ['b', '\uff5e', 'a', '😀', '', 'B']) {
        await store.namespaces.ensure(name, at(NOON));
      }

      const names = (await store.namespaces.list()).map(({ name }) => name);
      expect(names).toEqual(['', 'B', 'a', 'b', '😀', '\uff5e']);
    });

    it('makes one, however often and by however many it is asked for', async () => {
      await using store = await subject.open();

      await store.namespaces.ensure('one', at(NOON));
      await Promise.all(
        Array.from({ length: 5 }, () => store.namespaces.ensure('one', at(after(NOON, 1000)))),
      );

      expect(await store.namespaces.list()).toEqual([{ name: 'one', createdAt: NOON }]);
    });

    it('come with their first queue', async () => {
      await using store = await subject.open();

      await addQueue(store, { namespace: 'fresh' });

      expect(await store.namespaces.list()).toEqual([{ name: 'fresh', createdAt: NOON }]);
    });

    it('come with their first node', async () => {
      await using store = await subject.open();

      await store.nodes.heartbeat('fresh', [aBeat()], at(NOON));

      expect(await store.namespaces.list()).toEqual([{ name: 'fresh', createdAt: NOON }]);
    });

    it('are missing when deleted twice or never made', async () => {
      await using store = await subject.open();
      await store.namespaces.ensure('one', at(NOON));

      expect(await store.namespaces.delete('never', at(NOON))).toBe('missing');
      expect(await store.namespaces.delete('one', at(NOON))).toBe('deleted');
      expect(await store.namespaces.delete('one', at(NOON))).toBe('missing');
    });

    it('take queues, tasks and nodes with them, in one step', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work' });
      const claim = await addClaimed(store, queue);
      const waiting = await addTask(store, queue);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      await store.namespaces.delete('default', at(NOON));

      expect(await store.namespaces.list()).toEqual([]);
      expect(await store.queues.find('default', 'work')).toBeNull();
      expect(await store.queues.counts(null, at(NOON))).toEqual([]);
      expect(await store.nodes.find('default', 'node-1')).toBeNull();
      expect(await store.tasks.peek('default', [claim.taskId, waiting])).toEqual([null, null]);
      expect((await store.tasks.list('default', aQuery(), at(NOON))).items).toEqual([]);
      expect(await store.attempts.nextDue('default')).toBeNull();
      expect(await store.attempts.settle('default', [aSettlement(claim)], at(NOON))).toEqual([
        { taskId: claim.taskId, fence: claim.fence, status: 'lost', state: null },
      ]);
    });

    it('take tasks with them that outlived their queue', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));

      await store.namespaces.delete('default', at(NOON));

      expect(await store.tasks.find('default', id, at(NOON))).toBeNull();
    });

    it('leave their names free at once, and their rows to queues.purge', async () => {
      await using store = await subject.open();
      const old = await addQueue(store, { name: 'work' });
      for (let i = 0; i < 3; i++) await addTask(store, old);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { wish: 'drain' }, at(NOON));
      const later = after(NOON, minutes(1));

      await store.namespaces.delete('default', at(NOON));
      const fresh = await addQueue(store, { name: 'work' }, later);
      const id = await addTask(store, fresh, {}, later);
      const [node] = await store.nodes.heartbeat('default', [aBeat()], at(later));

      expect(await store.namespaces.list()).toEqual([{ name: 'default', createdAt: later }]);
      expect(node).toMatchObject({ wish: 'work', createdAt: later });
      const claim = aClaim({
        picks: [old, fresh].map((one) => ({ queueId: one.id, count: 9 })),
        limit: 9,
      });
      const claims = await store.attempts.claim(claim, at(later));
      expect(claims.map(({ taskId }) => taskId)).toEqual([id]);
      expect(await store.queues.purge({ now: later, limit: 100 })).toBe(3);
      await expectExactCounts(store, later);
    });

    it('leave other namespaces alone', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.namespaces.ensure('doomed', at(NOON));

      await store.namespaces.delete('doomed', at(NOON));

      expect(await store.tasks.find('default', id, at(NOON))).not.toBeNull();
      expect(await store.nodes.find('default', 'node-1')).not.toBeNull();
      await expectExactCounts(store);
    });
  });
}
