import { describe, expect, it } from 'vitest';
import {
  aClaim,
  after,
  aSettlement,
  at,
  goTo,
  hours,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addQueue,
  addTask,
  expectExactCounts,
  getTask,
  listAttempts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function externalTaskConformance(subject: StoreUnderTest): void {
  describe('an external task', () => {
    it('is running at once, in an attempt of nobody, without a lease', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const id = await addTask(store, queue, { external: true, key: textBytes('k') });

      expect(await getTask(store, id)).toMatchObject({
        state: 'running',
        external: true,
        fence: 1,
        claimCount: 1,
        attempt: { fence: 1, node: '', claimedAt: NOON, startedAt: NOON, expiresAt: null },
      });
      expect(await listAttempts(store, id)).toMatchObject([{ fence: 1, node: '', endedAt: null }]);
      await expectExactCounts(store);
    });

    it('is given to no node and never expires', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { external: true });

      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
      expect(await store.attempts.nextDue('default')).toBeNull();
      expect(await stateOf(store, id, after(NOON, hours(1000)))).toBe('running');
    });

    it('ends by a call that names no fence', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const taskId = await addTask(store, queue, { external: true });

      const settlement = aSettlement({ taskId, fence: null }, { data: 'done' });
      const answers = await store.attempts.settle('default', [settlement], at(NOON));

      expect(answers).toEqual([{ taskId, fence: 1, status: 'applied', state: 'succeeded' }]);
      expect((await getTask(store, taskId)).result).toBe('done');
    });

    it('keeps data by renewal, and gets no lease by it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const taskId = await addTask(store, queue, { external: true });

      const renewal = { taskId, fence: null, leaseMs: 1000, data: { at: 50 } };
      const answers = await store.attempts.renew('default', [renewal], at(NOON));

      expect(answers).toEqual([{ taskId, fence: 1, status: 'held', expiresAt: null }]);
      expect((await getTask(store, taskId)).result).toEqual({ at: 50 });
      expect(await store.attempts.nextDue('default')).toBeNull();
    });

    it('is terminated by cancel at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { external: true });

      const some = { namespace: 'default', ids: [id] };
      const answers = await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));

      expect(answers).toEqual([{ id, status: 'moved', state: 'terminated' }]);
      expect(await listAttempts(store, id)).toMatchObject([
        { outcome: 'cancelled', endedAt: NOON },
      ]);
      expect(await getTask(store, id)).toMatchObject({ fence: 2, lastOutcome: 'cancelled' });
      await expectExactCounts(store);
    });

    it('is running again, under the next fence, wherever another would be queued', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { external: true });
      const failing = { outcome: 'failed', next: goTo('queued') } as const;
      const settle = (settlement: Parameters<typeof aSettlement>[1]) =>
        store.attempts.settle(
          'default',
          [aSettlement({ taskId: id, fence: null }, settlement)],
          at(NOON),
        );

      expect(await settle(failing)).toMatchObject([{ status: 'applied', state: 'running' }]);
      expect(await getTask(store, id)).toMatchObject({ fence: 2, claimCount: 2, tryCount: 1 });
      await settle({ outcome: 'failed' });
      await store.tasks.move({ namespace: 'default', ids: [id], move: 'retry' }, at(NOON));
      expect(await getTask(store, id)).toMatchObject({ state: 'running', fence: 4 });
      await expectExactCounts(store);
    });

    it('waits for its time and its release like any other', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const delayed = await addTask(store, queue, { external: true, delayMs: seconds(5) });
      const held = await addTask(store, queue, { external: true, hold: 'operator' });

      expect([await stateOf(store, delayed), await stateOf(store, held)]).toEqual([
        'delayed',
        'held',
      ]);
      expect(await stateOf(store, delayed, after(NOON, seconds(5)))).toBe('running');
      await store.tasks.move({ namespace: 'default', ids: [held], move: 'release' }, at(NOON));
      expect(await stateOf(store, held)).toBe('running');
    });

    it('is stopped by no limit, and counts against it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 1 });
      const external = [
        await addTask(store, queue, { external: true }),
        await addTask(store, queue, { external: true }),
      ];
      await addTask(store, queue);

      for (const id of external) expect(await stateOf(store, id)).toBe('running');
      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
    });
  });
}
