import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import type { QueueOrder } from '../../../src/core/store/index.ts';
import {
  aBeat,
  aClaim,
  after,
  aNewTask,
  anId,
  at,
  minutes,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addQueue,
  addTask,
  addTasks,
  changeQueue,
  claimOne,
  expectExactCounts,
  getTask,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function claimConformance(subject: StoreUnderTest): void {
  describe('attempts.claim', () => {
    it('gives a task with all that is needed to run it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work', leaseMs: seconds(20) });
      const id = await addTask(store, queue, {
        key: textBytes('k'),
        params: { a: 1 },
        priority: 3,
        labels: { team: 'red' },
      });

      const now = after(NOON, 100);
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id }), at(now));

      expect(claims).toEqual([
        {
          taskId: id,
          queueId: queue.id,
          queue: 'work',
          key: 'k',
          params: { a: 1 },
          priority: 3,
          labels: { team: 'red' },
          fence: 1,
          claimCount: 1,
          tryCount: 0,
          roundCount: 0,
          claimedAt: now,
          expiresAt: after(now, seconds(20)),
        },
      ]);
      expect(await getTask(store, id)).toMatchObject({
        state: 'running',
        fence: 1,
        claimCount: 1,
        updatedAt: now,
        attempt: {
          fence: 1,
          node: 'node-1',
          claimedAt: now,
          startedAt: now,
          expiresAt: after(now, seconds(20)),
        },
      });
    });

    it('leaves a task claimed, not running, when it shall not start', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);

      await claimOne(store, queue, { start: false });

      expect(await getTask(store, id)).toMatchObject({
        state: 'claimed',
        attempt: { startedAt: null },
      });
    });

    it('gives the lease asked for, else the queue’s', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 5000 });
      await addTasks(store, queue, [aNewTask(), aNewTask()]);

      expect((await claimOne(store, queue, { leaseMs: 77 })).expiresAt).toEqual(after(NOON, 77));
      expect((await claimOne(store, queue)).expiresAt).toEqual(after(NOON, 5000));
    });

    it('gives each task to one node, however many ask at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = await addTasks(
        store,
        queue,
        Array.from({ length: 100 }, () => aNewTask()),
      );

      // Small bites, so that the nodes meet on the same tasks again and again.
      const claimed = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const mine: string[] = [];
          for (;;) {
            const bite = aClaim({ queueId: queue.id, node: `node-${index}`, limit: 3 });
            const claims = await store.attempts.claim(bite, at(NOON));
            if (claims.length === 0) return mine;
            mine.push(...claims.map(({ taskId }) => taskId));
          }
        }),
      );

      expect(claimed.flat().toSorted()).toEqual(ids);
      await expectExactCounts(store);
    });

    it('raises the fence and claimCount with every claim', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      await addTask(store, queue);

      for (let count = 1; count <= 4; count++) {
        const claim = await claimOne(store, queue, {}, after(NOON, count * 1000));
        expect(claim).toMatchObject({ fence: count, claimCount: count });
      }
    });

    it('gives nothing, without complaint, where nothing is', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const elsewhere = await addQueue(store, { namespace: 'theirs' });
      await addTask(store, elsewhere);

      for (const queueId of [queue.id, anId(), elsewhere.id]) {
        expect(await store.attempts.claim(aClaim({ queueId, limit: 5 }), at(NOON))).toEqual([]);
      }
      expect(await store.attempts.claim(aClaim(), at(NOON))).toEqual([]);
      expect(await store.attempts.claim(aClaim({ namespace: 'nowhere' }), at(NOON))).toEqual([]);
    });

    it('takes from each pick in turn, at most its count, never more than the limit in all', async () => {
      await using store = await subject.open();
      const [a, b, c] = [await addQueue(store), await addQueue(store), await addQueue(store)];
      for (const queue of [a, b, c])
        await addTasks(store, queue, [aNewTask(), aNewTask(), aNewTask()]);
      const picks = [
        { queueId: b.id, count: 2 },
        { queueId: a.id, count: 9 },
        { queueId: c.id, count: 9 },
      ];

      const claims = await store.attempts.claim(aClaim({ picks, limit: 6 }), at(NOON));

      expect(claims.map(({ queueId }) => queueId)).toEqual([b.id, b.id, a.id, a.id, a.id, c.id]);
      expect(claims.map(({ taskId }) => taskId).toSorted()).toHaveLength(6);
    });

    it('gives nothing of a paused queue until it goes on', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { paused: true });
      await addTask(store, queue);

      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
      await changeQueue(store, queue, { paused: false });
      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toHaveLength(1);
    });

    it('obeys the queue’s rules about nodes', async () => {
      await using store = await subject.open();
      const only = await addQueue(store, { nodesOnly: ['node-1', 'node-2'], nodesNot: ['node-2'] });
      const none = await addQueue(store, { nodesOnly: [] });
      const not = await addQueue(store, { nodesNot: ['node-1'] });
      const served = async (queue: { id: string }, node: string) => {
        await addTask(store, queue);
        return (await store.attempts.claim(aClaim({ queueId: queue.id, node }), at(NOON))).length;
      };

      expect(await served(only, 'node-1')).toBe(1);
      expect(await served(only, 'node-2')).toBe(0);
      expect(await served(only, 'node-3')).toBe(0);
      expect(await served(none, 'node-1')).toBe(0);
      expect(await served(not, 'node-1')).toBe(0);
      expect(await served(not, 'node-2')).toBe(1);
    });

    it('gives nothing to a node that shall drain or wait', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      const claim = aClaim({ queueId: queue.id });

      for (const wish of ['drain', 'cordon'] as const) {
        await store.nodes.update('default', 'node-1', { wish }, at(NOON));
        expect(await store.attempts.claim(claim, at(NOON))).toEqual([]);
      }
      await store.nodes.update('default', 'node-1', { wish: 'work' }, at(NOON));
      expect(await store.attempts.claim(claim, at(NOON))).toHaveLength(1);
    });

    it('gives to a node that never sent a heartbeat, or whose heartbeat is over', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(store, queue, [aNewTask(), aNewTask()]);
      await store.nodes.heartbeat('default', [aBeat({ name: 'old', ttlMs: 1 })], at(NOON));
      const later = after(NOON, minutes(1));

      expect((await claimOne(store, queue, { node: 'never seen' }, later)).fence).toBe(1);
      expect((await claimOne(store, queue, { node: 'old' }, later)).fence).toBe(1);
    });

    it('first expires leases and readies delayed tasks that are due, in all namespaces', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(1) });
      const theirs = await addQueue(store, { namespace: 'theirs' });
      const expiring = await addTask(store, queue);
      await claimOne(store, queue);
      const delayed = await addTask(store, queue, { delayMs: seconds(1) });
      const far = await addTask(store, theirs, { delayMs: seconds(1) });
      const later = after(NOON, seconds(1));

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(later));

      expect(claims.map(({ taskId, fence }) => [taskId, fence])).toEqual([
        [expiring, 2],
        [delayed, 1],
      ]);
      expect(await store.tasks.peek('theirs', [far])).toMatchObject([{ state: 'queued' }]);
    });
  });

  describe('the order of claims', () => {
    it.each(['fifo', 'lifo', 'key'] as const)('%s: by priority, then rank', async (order) => {
      await using store = await subject.open();
      const queue = await addQueue(store, { order });
      const expected = await addShuffled(store, queue, order);

      const claimed: string[] = [];
      for (let count = 1; claimed.length < expected.length; count++) {
        const claim = aClaim({ queueId: queue.id, limit: count % 5 === 0 ? 5 : 1 });
        const claims = await store.attempts.claim(claim, at(NOON));
        claimed.push(...claims.map(({ taskId }) => taskId));
      }

      expect(claimed).toEqual(expected);
    });

    it('goes by id where rank and priority are equal', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const rank = textBytes('same');
      const [low, high] = [anId(), anId()];
      await addTasks(store, queue, [aNewTask({ id: high, rank }), aNewTask({ id: low, rank })]);

      expect((await claimOne(store, queue)).taskId).toBe(low);
    });

    it('puts a rank before a longer one that begins with it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const longer = await addTask(store, queue, { rank: Uint8Array.from([1, 0]) });
      const shorter = await addTask(store, queue, { rank: Uint8Array.from([1]) });
      const empty = await addTask(store, queue, { rank: Uint8Array.from([]) });

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 3 }), at(NOON));

      expect(claims.map(({ taskId }) => taskId)).toEqual([empty, shorter, longer]);
    });
  });
}

/** Sixty tasks of random priorities and byte keys, submitted out of order; gives the ids as they should come. */
async function addShuffled(
  store: Parameters<typeof addTasks>[0],
  queue: { id: string },
  order: QueueOrder,
): Promise<string[]> {
  const random = seededRandom(11);
  const tasks = Array.from({ length: 60 }, (_, index) => {
    const key = Uint8Array.from([...random.bytes(1 + (index % 3)), index]);
    return aNewTask({ key, priority: Math.floor(random.next() * 3) }, order);
  });
  const shuffled = tasks.toSorted((a, b) => Buffer.compare(a.key ?? a.rank, b.key ?? b.rank));
  await addTasks(store, queue, shuffled);
  const inOrder = {
    fifo: tasks,
    lifo: tasks.toReversed(),
    key: shuffled,
  }[order];
  return inOrder.toSorted((a, b) => b.priority - a.priority).map(({ id }) => id);
}
