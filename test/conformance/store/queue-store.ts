import { describe, expect, it } from 'vitest';
import type { NewQueue, QueueOrder } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewQueue,
  aNewTask,
  aSettlement,
  at,
  minutes,
  NOON,
  textBytes,
} from '../../support/builders.ts';
import { addQueue, addTasks, changeQueue, claimOne, getQueue, walkPages } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

/** Nothing left at its default, so that what is not kept is noticed. */
const FULL: NewQueue = aNewQueue({
  name: 'all of it ✓ "quoted" \\ %_',
  handler: 'resize',
  program: { argv: ['sh', '-c', "echo '{item}'"], cwd: '/srv', env: { LANG: 'C' } },
  runtime: 'python_2.7',
  priority: -3,
  weight: 0.5,
  paused: true,
  order: 'key',
  maxRunning: 0,
  maxRunningPerNode: 2,
  limits: [{ name: 'tenant', by: 'customer.region', max: 4, perMs: 60_000 }],
  maxPerClaim: 5,
  nodesOnly: ['node-1', 'node-2'],
  nodesNot: ['node-3'],
  maxAttempts: 7,
  retry: { baseMs: 1, factor: 1.5, maxMs: 10 },
  maxClaims: 9,
  maxRunMs: 1000,
  leaseMs: 5000,
  onLost: 'park',
  maxLosses: 2,
  admission: 'gated',
  continuous: true,
  canBeContinuous: true,
  intervalMs: 60_000,
  nextQueue: 'then',
  retention: { succeededMs: null, failedMs: 0 },
  maxOutputBytes: 10,
  data: { min_gb: 1, empty: [], nested: { list: [null, true, 1.5] } },
});

export function queueStoreConformance(subject: StoreUnderTest): void {
  describe('queues.insert', () => {
    it('keeps every setting as it was given', async () => {
      await using store = await subject.open();

      expect(await store.queues.insert(FULL, at(NOON))).toBe('inserted');

      expect(await store.queues.find(FULL.namespace, FULL.name)).toEqual({
        ...FULL,
        nextContinuousAt: null,
        revision: 1,
        createdAt: NOON,
        updatedAt: NOON,
      });
    });

    it('answers `exists` when the name is taken, and changes nothing', async () => {
      await using store = await subject.open();
      const first = await addQueue(store, { name: 'work', weight: 1 });

      const answer = await store.queues.insert(aNewQueue({ name: 'work', weight: 2 }), at(NOON));

      expect(answer).toBe('exists');
      expect(await getQueue(store, first)).toMatchObject({ id: first.id, weight: 1, revision: 1 });
    });

    it('gives a name to one of many who want it at once', async () => {
      await using store = await subject.open();

      const answers = await Promise.all(
        Array.from({ length: 8 }, () => store.queues.insert(aNewQueue({ name: 'work' }), at(NOON))),
      );

      expect(answers.filter((answer) => answer === 'inserted')).toHaveLength(1);
    });

    it('lets each namespace have a queue of the same name', async () => {
      await using store = await subject.open();

      const one = await addQueue(store, { namespace: 'one', name: 'work' });
      const two = await addQueue(store, { namespace: 'two', name: 'work' });

      expect((await getQueue(store, one)).id).toBe(one.id);
      expect((await getQueue(store, two)).id).toBe(two.id);
    });
  });

  describe('queues.find and queues.list', () => {
    it('find no queue by another name, case or namespace', async () => {
      await using store = await subject.open();
      await addQueue(store, { name: 'work' });

      expect(await store.queues.find('default', 'Work')).toBeNull();
      expect(await store.queues.find('default', 'wor')).toBeNull();
      expect(await store.queues.find('other', 'work')).toBeNull();
    });

    it('list by name in order of UTF-16 code units, page by page', async () => {
      await using store = await subject.open();
      const names = ['b', '\uff5e', 'a', '😀', 'B', 'a b', 'ä', 'a-'];
      for (const name of names) await addQueue(store, { name });
      await addQueue(store, { namespace: 'other', name: 'c' });

      for (const limit of [1, 3, 8, 100]) {
        const queues = await walkPages(limit, (after) =>
          store.queues.list('default', { after, limit }),
        );
        expect(queues.map(({ name }) => name)).toEqual(names.toSorted());
      }
    });

    it('list from the name `after` on, whether or not it exists', async () => {
      await using store = await subject.open();
      for (const name of ['a', 'c']) await addQueue(store, { name });

      const page = await store.queues.list('default', { after: 'b', limit: 10 });

      expect(page.items.map(({ name }) => name)).toEqual(['c']);
      expect(page.next).toBeNull();
    });

    it('say that nothing follows a page that ends with the last', async () => {
      await using store = await subject.open();
      for (const name of ['a', 'b']) await addQueue(store, { name });

      expect((await store.queues.list('default', { after: null, limit: 2 })).next).toBeNull();
      expect((await store.queues.list('default', { after: null, limit: 1 })).next).not.toBeNull();
    });
  });

  describe('queues.update', () => {
    it('replaces all settings and moves revision and updatedAt on', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work' });
      const later = after(NOON, minutes(1));

      const answer = await store.queues.update(
        { id: queue.id, revision: 1, settings: FULL },
        at(later),
      );

      const changed = {
        ...FULL,
        id: queue.id,
        name: 'work',
        nextContinuousAt: null,
        revision: 2,
        createdAt: NOON,
        updatedAt: later,
      };
      expect(answer).toEqual({ status: 'updated', queue: changed });
      expect(await getQueue(store, queue)).toEqual(changed);
    });

    it('answers `changed` with the revision it is at, and changes nothing', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const change = { id: queue.id, revision: 1, settings: { ...queue, weight: 1 } };
      await store.queues.update(change, at(NOON));

      const again = await store.queues.update(
        { ...change, settings: { ...queue, weight: 2 } },
        at(NOON),
      );

      expect(again).toEqual({ status: 'changed', revision: 2 });
      expect(await getQueue(store, queue)).toMatchObject({ weight: 1, revision: 2 });
    });

    it('lets one of many change a revision', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, weight) =>
          store.queues.update(
            { id: queue.id, revision: 1, settings: { ...queue, weight } },
            at(NOON),
          ),
        ),
      );

      expect(answers.filter(({ status }) => status === 'updated')).toHaveLength(1);
      expect((await getQueue(store, queue)).revision).toBe(2);
    });

    it('answers `missing` for a queue that is not there or was deleted', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await store.queues.delete({ id: queue.id, tasks: 'refuse' }, at(NOON));

      for (const id of [queue.id, aNewQueue().id]) {
        const answer = await store.queues.update({ id, revision: 1, settings: queue }, at(NOON));
        expect(answer).toEqual({ status: 'missing' });
      }
    });

    it('keeps nextContinuousAt unless it is given', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const next = after(NOON, minutes(5));
      const update = (revision: number, nextContinuousAt?: Date | null) =>
        store.queues.update(
          {
            id: queue.id,
            revision,
            settings: queue,
            ...(nextContinuousAt !== undefined && { nextContinuousAt }),
          },
          at(NOON),
        );

      await update(1, next);
      expect((await getQueue(store, queue)).nextContinuousAt).toEqual(next);
      await update(2);
      expect((await getQueue(store, queue)).nextContinuousAt).toEqual(next);
      await update(3, null);
      expect((await getQueue(store, queue)).nextContinuousAt).toBeNull();
    });

    it('leaves every rank alone where the order stays', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const last = await addTasks(store, queue, [aNewTask({ rank: textBytes('z') })]);
      const first = await addTasks(store, queue, [aNewTask({ rank: textBytes('a') })]);

      await changeQueue(store, queue, { weight: 1 });

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 2 }), at(NOON));
      expect(claims.map(({ taskId }) => taskId)).toEqual([...first, ...last]);
    });

    it('gives every task that has not ended a new rank with a new order, in the same step', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { order: 'fifo' });
      const [b = '', c = '', a = ''] = await addTasks(
        store,
        queue,
        ['b', 'c', 'a'].map((key) => aNewTask({ key: textBytes(key) })),
      );
      // Live during the change, and back in the queue after it.
      const held = await claimOne(store, queue);
      const orders: [QueueOrder, string[]][] = [
        ['lifo', [a, c, b]],
        ['key', [a, b, c]],
        ['fifo', [b, c, a]],
      ];

      for (const [order] of orders.slice(0, 1)) await changeQueue(store, queue, { order });
      await store.attempts.settle(
        'default',
        [aSettlement(held, { outcome: 'released' })],
        at(NOON),
      );

      for (const [order, expected] of orders) {
        await changeQueue(store, queue, { order });
        const claims = await store.attempts.claim(
          aClaim({ queueId: queue.id, limit: 9 }),
          at(NOON),
        );
        expect([order, claims.map(({ taskId }) => taskId)]).toEqual([order, expected]);
        const back = claims.map((claim) => aSettlement(claim, { outcome: 'released' }));
        await store.attempts.settle('default', back, at(NOON));
      }
    });
  });
}
