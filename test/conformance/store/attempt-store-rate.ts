import { describe, expect, it } from 'vitest';
import {
  aClaim,
  after,
  aNewTask,
  aSettlement,
  at,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import { addMany, addQueue, addTask, stateOf, submit } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const NODES = ['node-1', 'node-2', 'node-3', 'node-4'];

export function rateConformance(subject: StoreUnderTest): void {
  describe('a rate', () => {
    const limits = [{ name: 'rate', by: 'tenant', max: 2, perMs: seconds(10) }];

    it('counts claims later than now − perMs, whatever became of them', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 6, ['a']);
      const claimAt = async (ms: number) => {
        const claim = aClaim({ queueId: queue.id, limit: 9 });
        const claims = await store.attempts.claim(claim, at(after(NOON, ms)));
        await store.attempts.settle(
          'default',
          claims.map((one) => aSettlement(one)),
          at(after(NOON, ms)),
        );
        return claims.length;
      };

      const counts = [];
      counts.push(await claimAt(0), await claimAt(1), await claimAt(9_999), await claimAt(10_000));
      expect(counts).toEqual([2, 0, 0, 2]);
    });

    it('holds for each key by itself', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 9, ['a', 'b', '']);

      expect(
        await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON)),
      ).toHaveLength(6);
    });

    it('counts tasks that were deleted since', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 3, ['a']);
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));
      const ids = claims.map(({ taskId }) => taskId);
      await store.tasks.delete({ namespace: 'default', ids }, at(NOON));

      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
    });

    it.each(['release', 'edit'] as const)(
      'counts an external task that %s lets run',
      async (way) => {
        await using store = await subject.open();
        const queue = await addQueue(store, { limits });
        await addMany(store, queue, 3, ['a']);
        const waits = way === 'release' ? { hold: 'operator' as const } : { delayMs: seconds(60) };
        const params = { tenant: 'a' };
        const external = await addTask(store, queue, { external: true, params, ...waits });

        const where = { namespace: 'default', ids: [external] };
        if (way === 'release') await store.tasks.move({ ...where, move: 'release' }, at(NOON));
        else await store.tasks.edit({ ...where, change: { notBefore: null } }, at(NOON));

        expect(await stateOf(store, external)).toBe('running');
        const claim = aClaim({ queueId: queue.id, limit: 9 });
        expect(await store.attempts.claim(claim, at(NOON))).toHaveLength(1);
      },
    );

    it('counts nothing of a call that was refused', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 2, ['a']);
      await addTask(store, queue, { key: textBytes('k'), hold: 'operator' });
      const external = aNewTask({ external: true, params: { tenant: 'a' } });

      const tasks = [external, aNewTask({ key: textBytes('k') })];
      expect(await submit(store, queue, tasks, 'refuse')).toMatchObject({ status: 'refused' });

      const claim = aClaim({ queueId: queue.id, limit: 9 });
      expect(await store.attempts.claim(claim, at(NOON))).toHaveLength(2);
    });

    it('is never exceeded, however many claim at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits });
      await addMany(store, queue, 20, ['a']);

      const claims = await Promise.all(
        NODES.map((node) =>
          store.attempts.claim(aClaim({ queueId: queue.id, node, limit: 5 }), at(NOON)),
        ),
      );

      expect(claims.flat()).toHaveLength(2);
    });
  });
}
