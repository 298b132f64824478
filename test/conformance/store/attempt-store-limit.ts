import { describe, expect, it } from 'vitest';
import type { Claim, KeyedLimit, Store } from '../../../src/core/store/index.ts';
import {
  aBeat,
  aClaim,
  after,
  aNewTask,
  aSettlement,
  at,
  NOON,
  seconds,
} from '../../support/builders.ts';
import {
  addMany,
  addQueue,
  addTask,
  addTasks,
  changeQueue,
  claimOne,
  expectExactCounts,
  listTasks,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const NODES = ['node-1', 'node-2', 'node-3', 'node-4'];

/**
 * Many nodes claim and settle at once until nothing is left, and after every claim somebody
 * looks at what is live.
 */
async function drain(
  store: Store,
  queueIds: readonly string[],
  sample: (live: readonly { node: string; key: string }[]) => void,
): Promise<number> {
  const picks = queueIds.map((queueId) => ({ queueId, count: 4 }));
  let settled = 0;
  await Promise.all(
    [...NODES, ...NODES].map(async (node) => {
      for (let idle = 0; idle < 30; ) {
        const claims = await store.attempts.claim(aClaim({ picks, node, limit: 4 }), at(NOON));
        idle = claims.length === 0 ? idle + 1 : 0;
        const live = await listTasks(store, { states: ['claimed', 'running'] });
        sample(
          live.map(({ attempt, labels }) => ({ node: attempt?.node ?? '', key: labels.key ?? '' })),
        );
        await store.attempts.settle(
          'default',
          claims.map((claim) => aSettlement(claim)),
          at(NOON),
        );
        settled += claims.length;
      }
    }),
  );
  return settled;
}

const most = (names: readonly string[]): number => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
};

export function limitConformance(subject: StoreUnderTest): void {
  describe('limits', () => {
    it('of a queue hold across all nodes at every instant', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 3 });
      await addMany(store, queue, 60);

      const settled = await drain(store, [queue.id], (live) => {
        expect(live.length).toBeLessThanOrEqual(3);
      });

      expect(settled).toBe(60);
      await expectExactCounts(store);
    });

    it('of a queue on each node hold at every instant', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunningPerNode: 2 });
      await addMany(store, queue, 60);

      const settled = await drain(store, [queue.id], (live) => {
        expect(most(live.map(({ node }) => node))).toBeLessThanOrEqual(2);
      });

      expect(settled).toBe(60);
    });

    it('of a node hold across all queues at every instant', async () => {
      await using store = await subject.open();
      const queues = [await addQueue(store), await addQueue(store, { maxRunning: 5 })];
      for (const queue of queues) await addMany(store, queue, 30);
      for (const name of NODES) {
        await store.nodes.heartbeat('default', [aBeat({ name })], at(NOON));
        await store.nodes.update('default', name, { maxRunning: 2 }, at(NOON));
      }

      const settled = await drain(
        store,
        queues.map(({ id }) => id),
        (live) => {
          expect(most(live.map(({ node }) => node))).toBeLessThanOrEqual(2);
        },
      );

      expect(settled).toBe(60);
    });

    it('by key hold at every instant, for each key by itself', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 2, perMs: null }];
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 60, ['a', 'b', '']);

      const settled = await drain(store, [queue.id], (live) => {
        expect(most(live.map(({ key }) => key))).toBeLessThanOrEqual(2);
      });

      expect(settled).toBe(60);
    });

    it('of 0 give nothing at all, and of null stop nothing', async () => {
      await using store = await subject.open();
      const limit: KeyedLimit = { name: 'tenant', by: 'tenant', max: 0, perMs: null };
      const stopped = [
        await addQueue(store, { maxRunning: 0 }),
        await addQueue(store, { maxRunningPerNode: 0 }),
        await addQueue(store, { limits: [limit] }),
        await addQueue(store, { limits: [{ ...limit, perMs: 1000 }] }),
      ];
      for (const queue of stopped) {
        await addTask(store, queue);
        expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
      }
      const free = await addQueue(store);
      await addMany(store, free, 20);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      expect(
        await store.attempts.claim(aClaim({ queueId: free.id, limit: 50 }), at(NOON)),
      ).toHaveLength(20);
      await store.nodes.update('default', 'node-1', { maxRunning: 0 }, at(NOON));
      await addTask(store, free);
      expect(await store.attempts.claim(aClaim({ queueId: free.id }), at(NOON))).toEqual([]);
    });

    it('count tasks that are claimed and not started', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 2 });
      await addMany(store, queue, 3);
      await claimOne(store, queue, { start: false });

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      expect(claims).toHaveLength(1);
    });

    it('have room again when an attempt ends or its lease is over', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 1, leaseMs: seconds(1), onLost: 'fail' });
      await addMany(store, queue, 3);
      const claim = await claimOne(store, queue);
      const later = after(NOON, seconds(1));

      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      await claimOne(store, queue);
      expect(
        await store.attempts.claim(aClaim({ queueId: queue.id }), at(after(later, -1))),
      ).toEqual([]);
      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(later))).toHaveLength(1);
    });

    it('that are lowered below what is live stop claims until there is room', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 3 });
      await addMany(store, queue, 6);
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 3 }), at(NOON));
      await changeQueue(store, queue, { maxRunning: 1 });
      const settle = (claim?: Claim) =>
        store.attempts.settle('default', claim ? [aSettlement(claim)] : [], at(NOON));
      const claim = () => store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      await settle(claims[0]);
      await settle(claims[1]);
      expect(await claim()).toEqual([]);
      await settle(claims[2]);
      expect(await claim()).toHaveLength(1);
    });

    it('by key pass a task over for the next that has room', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, { limits });
      const [a, , b] = await addTasks(store, queue, [
        aNewTask({ params: { tenant: 'a' } }),
        aNewTask({ params: { tenant: 'a' }, priority: -1 }),
        aNewTask({ params: { tenant: 'b' }, priority: -2 }),
      ]);

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      expect(claims.map(({ taskId }) => taskId)).toEqual([a, b]);
    });

    it('by key must all have room, each by its own key; a missing key is ""', async () => {
      await using store = await subject.open();
      const limits = [
        { name: 'tenant', by: 'tenant', max: 1, perMs: null },
        { name: 'host', by: 'host', max: 1, perMs: null },
      ];
      const queue = await addQueue(store, { limits });
      const [first, , third] = await addTasks(store, queue, [
        aNewTask({ params: { tenant: 'a', host: 'x' } }),
        aNewTask({ params: { tenant: 'b', host: 'x' } }),
        aNewTask({ params: { tenant: 'x' } }),
        aNewTask({ params: { tenant: 'y' } }),
      ]);

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      expect(claims.map(({ taskId }) => taskId)).toEqual([first, third]);
    });

    it('by key hold in their own queue only', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queues = [await addQueue(store, { limits }), await addQueue(store, { limits })];
      for (const queue of queues) await addTask(store, queue, { params: { tenant: 'a' } });
      const picks = queues.map(({ id }) => ({ queueId: id, count: 9 }));

      expect(await store.attempts.claim(aClaim({ picks, limit: 9 }), at(NOON))).toHaveLength(2);
    });
  });
}
