import { describe, expect, it } from 'vitest';
import type { Attempt, Store } from '../../../src/core/store/index.ts';
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
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  listAttempts,
  walkPages,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

function listByNode(
  store: Store,
  node: string,
  { live = false, limit = 100, now = NOON, namespace = 'default' } = {},
): Promise<Attempt[]> {
  return walkPages(limit, (after) =>
    store.attempts.listByNode(namespace, { node, live, after, limit }, at(now)),
  );
}

const names = (attempts: readonly Attempt[]) =>
  attempts.map(({ taskId, fence }) => `${taskId} ${fence}`);

export function attemptListConformance(subject: StoreUnderTest): void {
  describe('attempts.list', () => {
    it('gives all attempts of a task by fence, the live one last', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work' });
      const id = await addTask(store, queue, { key: textBytes('k') });
      for (let count = 1; count <= 3; count++) {
        const claim = await claimOne(store, queue, { node: `node-${count}` });
        const next = goTo('queued');
        await store.attempts.settle(
          'default',
          [aSettlement(claim, { outcome: 'failed', next })],
          at(NOON),
        );
      }
      const live = await claimOne(store, queue, { node: 'node-4', start: false });

      const attempts = await listAttempts(store, id);

      expect(attempts.map(({ fence, node, outcome }) => [fence, node, outcome])).toEqual([
        [1, 'node-1', 'failed'],
        [2, 'node-2', 'failed'],
        [3, 'node-3', 'failed'],
        [4, 'node-4', null],
      ]);
      expect(attempts.at(-1)).toEqual({
        taskId: id,
        queue: 'work',
        key: 'k',
        fence: 4,
        node: 'node-4',
        claimedAt: NOON,
        startedAt: null,
        expiresAt: live.expiresAt,
        endedAt: null,
        outcome: null,
        data: null,
        error: null,
        code: null,
        late: null,
      });
    });

    it('gives none of a task that is unknown, never claimed or of another namespace', async () => {
      await using store = await subject.open();
      const { taskId } = await addClaimed(store, await addQueue(store));
      await addQueue(store, { namespace: 'theirs' });

      expect(await listAttempts(store, anId())).toEqual([]);
      expect(await listAttempts(store, await addTask(store, await addQueue(store)))).toEqual([]);
      expect(await store.attempts.list('theirs', taskId, at(NOON))).toEqual([]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const { taskId } = await addClaimed(store, await addQueue(store, { leaseMs: 1000 }));
      const later = after(NOON, 1000);

      expect(await listAttempts(store, taskId, later)).toMatchObject([
        { outcome: 'orphaned', endedAt: later },
      ]);
    });

    it('keeps the history of a hundred attempts', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      for (let count = 0; count < 100; count++) {
        const claim = await claimOne(store, queue);
        const settlement = aSettlement(claim, { outcome: 'released', data: count });
        await store.attempts.settle('default', [settlement], at(NOON));
      }

      const attempts = await listAttempts(store, id);

      expect(attempts.map(({ data }) => data)).toEqual([...Array(100).keys()]);
    });
  });

  describe('attempts.listByNode', () => {
    it('gives the live ones of a node, page by page', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(
        store,
        queue,
        Array.from({ length: 9 }, () => aNewTask()),
      );
      const mine = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 5 }), at(NOON));
      await store.attempts.claim(aClaim({ queueId: queue.id, node: 'node-2' }), at(NOON));
      const [done] = mine;
      if (done) await store.attempts.settle('default', [aSettlement(done)], at(NOON));

      for (const limit of [1, 2, 100]) {
        const live = await listByNode(store, 'node-1', { live: true, limit });
        const held = mine.slice(1).map(({ taskId, fence }) => `${taskId} ${fence}`);
        expect(names(live).toSorted()).toEqual(held.toSorted());
        expect(live.every(({ endedAt }) => endedAt === null)).toBe(true);
      }
    });

    it('gives the ended ones of a node, the newest end first, page by page', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ended: string[] = [];
      for (let count = 0; count < 7; count++) {
        const { taskId, fence } = await addClaimed(
          store,
          queue,
          {},
          { node: count === 3 ? 'node-2' : 'node-1' },
        );
        const now = after(NOON, seconds((count * 5) % 7));
        await store.attempts.settle('default', [aSettlement({ taskId, fence })], at(now));
        if (count !== 3) ended[(count * 5) % 7] = `${taskId} ${fence}`;
      }
      const newestFirst = ended.filter((one) => one !== undefined).toReversed();

      for (const limit of [1, 2, 100]) {
        const now = after(NOON, seconds(9));
        expect(names(await listByNode(store, 'node-1', { limit, now }))).toEqual(newestFirst);
      }
    });

    it('pages through attempts that ended at one instant', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claims = [];
      for (let count = 0; count < 5; count++) claims.push(await addClaimed(store, queue));
      await store.attempts.settle(
        'default',
        claims.map((claim) => aSettlement(claim)),
        at(NOON),
      );

      const listed = await listByNode(store, 'node-1', { limit: 2 });

      expect(names(listed).toSorted()).toEqual(claims.map(({ taskId }) => `${taskId} 1`));
    });

    it('gives none of a node that is unknown or of another namespace', async () => {
      await using store = await subject.open();
      await addClaimed(store, await addQueue(store));

      expect(await listByNode(store, 'nobody', { live: true })).toEqual([]);
      expect(await listByNode(store, 'node-1', { live: true, namespace: 'theirs' })).toEqual([]);
    });

    it('gives none of tasks that were deleted', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      await store.tasks.delete({ namespace: 'default', ids: [claim.taskId] }, at(NOON));

      expect(await listByNode(store, 'node-1')).toEqual([]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      await addClaimed(store, await addQueue(store, { leaseMs: 1000 }));
      const now = after(NOON, 1000);

      expect(await listByNode(store, 'node-1', { live: true, now })).toEqual([]);
      expect(await listByNode(store, 'node-1', { now })).toHaveLength(1);
    });
  });
}
