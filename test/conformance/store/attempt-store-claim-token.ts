import { describe, expect, it } from 'vitest';
import { aClaim, after, aNewTask, aSettlement, at, NOON, seconds } from '../../support/builders.ts';
import { addQueue, addTask, addTasks, countsOf } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function claimTokenConformance(subject: StoreUnderTest): void {
  describe('a claim repeated with its token', () => {
    it('gives the same claims again, in the same order, and claims nothing new', async () => {
      await using store = await subject.open();
      const [a, b] = [await addQueue(store), await addQueue(store)];
      for (const queue of [a, b])
        await addTasks(store, queue, [aNewTask(), aNewTask({ priority: 1 }), aNewTask()]);
      const picks = [b, a].map(({ id }) => ({ queueId: id, count: 2 }));
      const request = aClaim({ picks, limit: 4, token: 'call-1' });

      const first = await store.attempts.claim(request, at(NOON));
      const second = await store.attempts.claim(request, at(NOON));
      const third = await store.attempts.claim({ ...request, picks: [], limit: 1 }, at(NOON));

      expect(first).toHaveLength(4);
      expect(second).toEqual(first);
      expect(third).toEqual(first);
      expect((await countsOf(store, a.id)).running + (await countsOf(store, b.id)).running).toBe(4);
    });

    it('claims once, however many repeat it at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(
        store,
        queue,
        Array.from({ length: 20 }, () => aNewTask()),
      );
      const request = aClaim({ queueId: queue.id, limit: 2, token: 'call-1' });

      const answers = await Promise.all(
        Array.from({ length: 6 }, () => store.attempts.claim(request, at(NOON))),
      );

      expect(new Set(answers.map((claims) => JSON.stringify(claims))).size).toBe(1);
      expect((await countsOf(store, queue.id)).running).toBe(2);
    });

    it('gives only those that are still held, as they are now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(store, queue, [aNewTask(), aNewTask(), aNewTask()]);
      const request = aClaim({ queueId: queue.id, limit: 2, token: 'call-1' });
      const [first, second] = await store.attempts.claim(request, at(NOON));
      if (!first || !second) throw new Error('Two were expected');

      await store.attempts.settle('default', [aSettlement(first)], at(NOON));
      await store.attempts.renew('default', [{ ...second, leaseMs: 90_000 }], at(NOON));

      expect(await store.attempts.claim(request, at(NOON))).toEqual([
        { ...second, expiresAt: after(NOON, 90_000) },
      ]);
    });

    it('gives nothing when all of them have ended', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const request = aClaim({ queueId: queue.id, token: 'call-1' });
      const claims = await store.attempts.claim(request, at(NOON));
      await store.attempts.settle(
        'default',
        claims.map((claim) => aSettlement(claim)),
        at(NOON),
      );

      expect(await store.attempts.claim(request, at(after(NOON, seconds(29))))).toEqual([]);
    });

    it('gives none that another call has claimed since', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue);
      const request = aClaim({ queueId: queue.id, token: 'call-1' });
      const [claim] = await store.attempts.claim(request, at(NOON));
      if (!claim) throw new Error('One was expected');
      await store.attempts.settle(
        'default',
        [aSettlement(claim, { outcome: 'released' })],
        at(NOON),
      );
      await store.attempts.claim(aClaim({ queueId: queue.id, token: 'call-2' }), at(NOON));

      expect(await store.attempts.claim(request, at(NOON))).toEqual([]);
    });

    it('claims anew when the lease that the call gave is over', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(10), onLost: 'fail' });
      await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const request = aClaim({ queueId: queue.id, token: 'call-1' });
      const [first] = await store.attempts.claim(request, at(NOON));

      const early = await store.attempts.claim(request, at(after(NOON, seconds(10) - 1)));
      const late = await store.attempts.claim(request, at(after(NOON, seconds(10))));

      expect(early).toEqual([first]);
      expect(late).toHaveLength(1);
      expect(late[0]?.taskId).not.toBe(first?.taskId);
    });

    it('remembers until the last of the leases that the call gave', async () => {
      await using store = await subject.open();
      const [short, long] = [
        await addQueue(store, { leaseMs: seconds(5) }),
        await addQueue(store, { leaseMs: seconds(20) }),
      ];
      for (const queue of [short, long]) await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const picks = [long, short].map(({ id }) => ({ queueId: id, count: 1 }));
      const request = aClaim({ picks, limit: 2, token: 'call-1' });
      const claims = await store.attempts.claim(request, at(NOON));
      await store.attempts.settle(
        'default',
        claims.map((claim) => aSettlement(claim)),
        at(NOON),
      );

      expect(await store.attempts.claim(request, at(after(NOON, seconds(19))))).toEqual([]);
      expect(await store.attempts.claim(request, at(after(NOON, seconds(20))))).toHaveLength(2);
    });

    it('claims when the first call got nothing', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const request = aClaim({ queueId: queue.id, token: 'call-1' });
      expect(await store.attempts.claim(request, at(NOON))).toEqual([]);

      const id = await addTask(store, queue);

      expect(await store.attempts.claim(request, at(NOON))).toMatchObject([{ taskId: id }]);
    });

    it('is another call from another node or in another namespace', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const theirs = await addQueue(store, { namespace: 'theirs' });
      await addTasks(store, queue, [aNewTask(), aNewTask()]);
      await addTask(store, theirs);
      const request = aClaim({ queueId: queue.id, token: 'call-1' });
      const [first] = await store.attempts.claim(request, at(NOON));

      const second = await store.attempts.claim({ ...request, node: 'node-2' }, at(NOON));
      const other = aClaim({ queueId: theirs.id, token: 'call-1', namespace: 'theirs' });
      const third = await store.attempts.claim(other, at(NOON));

      expect(second).toHaveLength(1);
      expect(second[0]?.taskId).not.toBe(first?.taskId);
      expect(third).toHaveLength(1);
    });

    it('without a token claims something new each time', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const request = aClaim({ queueId: queue.id });

      const [first] = await store.attempts.claim(request, at(NOON));
      const [second] = await store.attempts.claim(request, at(NOON));

      expect(first?.taskId).not.toBe(second?.taskId);
    });
  });
}
