import { describe, expect, it } from 'vitest';
import { aClaim, after, anId, aSettlement, at, NOON, seconds } from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(1));

export function holdConformance(subject: StoreUnderTest): void {
  describe('attempts.start', () => {
    it('makes a claimed task running, once', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store), {}, { start: false });
      const { taskId, fence, expiresAt } = claim;
      const held = { taskId, fence, status: 'held', expiresAt };

      expect(await store.attempts.start('default', [{ taskId, fence }], at(LATER))).toEqual([held]);
      await store.attempts.start('default', [{ taskId, fence }], at(after(LATER, 1000)));

      expect(await getTask(store, taskId, LATER)).toMatchObject({
        state: 'running',
        updatedAt: LATER,
        attempt: { claimedAt: NOON, startedAt: LATER },
      });
      await expectExactCounts(store, LATER);
    });

    it('tells a holder that it was asked to stop', async () => {
      await using store = await subject.open();
      const { taskId, fence } = await addClaimed(store, await addQueue(store));
      await store.tasks.move({ namespace: 'default', ids: [taskId], move: 'cancel' }, at(NOON));

      expect(await store.attempts.start('default', [{ taskId, fence }], at(NOON))).toMatchObject([
        { taskId, fence, status: 'cancelled' },
      ]);
    });

    it('works past the lease’s end while nobody detached it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 10 });
      const claim = await addClaimed(store, queue, {}, { start: false });

      expect(await store.attempts.start('default', [claim], at(LATER))).toMatchObject([
        { status: 'held', expiresAt: after(NOON, 10) },
      ]);
    });
  });

  describe('attempts.renew', () => {
    it('moves the lease to now + leaseMs, forward or back', async () => {
      await using store = await subject.open();
      const { taskId, fence } = await addClaimed(store, await addQueue(store));

      for (const leaseMs of [seconds(100), seconds(2)]) {
        const expiresAt = after(LATER, leaseMs);
        const renewal = { taskId, fence, leaseMs };
        expect(await store.attempts.renew('default', [renewal], at(LATER))).toEqual([
          { taskId, fence, status: 'held', expiresAt },
        ]);
        expect((await getTask(store, taskId, LATER)).attempt?.expiresAt).toEqual(expiresAt);
        expect(await store.attempts.nextDue('default')).toEqual(expiresAt);
      }
    });

    it('keeps data as the result so far, and what was there without', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      const renew = (data?: number | null) =>
        store.attempts.renew(
          'default',
          [{ ...claim, leaseMs: 1000, ...(data !== undefined && { data }) }],
          at(NOON),
        );
      const result = async () => (await getTask(store, claim.taskId)).result;

      expect(await result()).toBeNull();
      await renew(50);
      expect(await result()).toBe(50);
      expect(await listAttempts(store, claim.taskId)).toMatchObject([{ data: 50, outcome: null }]);
      await renew();
      expect(await result()).toBe(50);
      await renew(null);
      expect(await result()).toBeNull();
    });

    it('moves updatedAt only when it brings data', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      const renew = (item: { data?: string }) =>
        store.attempts.renew('default', [{ ...claim, leaseMs: 1000, ...item }], at(LATER));
      const updatedAt = async () => (await getTask(store, claim.taskId)).updatedAt;

      await renew({});
      expect(await updatedAt()).toEqual(NOON);
      await renew({ data: 'new' });
      expect(await updatedAt()).toEqual(LATER);
    });

    it('works past the lease’s end while nobody detached it: expired is not lost', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 10 });
      const claim = await addClaimed(store, queue);

      const renewal = { ...claim, leaseMs: 5000 };
      expect(await store.attempts.renew('default', [renewal], at(LATER))).toMatchObject([
        { status: 'held', expiresAt: after(LATER, 5000) },
      ]);
      expect(await stateOf(store, claim.taskId, LATER)).toBe('running');
    });

    it('is lost once somebody detached it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 10 });
      const { taskId, fence } = await addClaimed(store, queue);
      await store.attempts.expireDue({ now: LATER, limit: 9 });

      expect(
        await store.attempts.renew('default', [{ taskId, fence, leaseMs: 5000 }], at(LATER)),
      ).toEqual([{ taskId, fence, status: 'lost', expiresAt: null }]);
      expect(await stateOf(store, taskId, LATER)).toBe('queued');
    });

    it.each([0, -5])(
      'with leaseMs %i ends the attempt at once, as expiry does',
      async (leaseMs) => {
        await using store = await subject.open();
        const queue = await addQueue(store, { onLost: 'park' });
        const { taskId, fence } = await addClaimed(store, queue);

        const renewal = { taskId, fence, leaseMs, data: 'so far' };
        const answers = await store.attempts.renew('default', [renewal], at(NOON));

        expect(answers).toEqual([{ taskId, fence, status: 'lost', expiresAt: null }]);
        expect(await getTask(store, taskId)).toMatchObject({
          state: 'orphaned',
          result: 'so far',
          lossCount: 1,
          tryCount: 1,
        });
        expect(await listAttempts(store, taskId)).toMatchObject([
          { outcome: 'orphaned', endedAt: NOON, data: 'so far' },
        ]);
        await expectExactCounts(store);
      },
    );
  });

  describe.each(['start', 'renew', 'settle'] as const)('attempts.%s', (method) => {
    const item = (ref: { taskId: string; fence: number | null }) => ({
      ...aSettlement(ref),
      leaseMs: 1000,
    });

    it('answers once per item, in order, and loses those whose fence is not the live one', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      const stale = await addClaimed(store, queue);
      await store.attempts.expireDue({ now: LATER, limit: 9 });
      const fresh = await claimOne(store, queue, {}, LATER);
      await store.attempts.settle(
        'default',
        [aSettlement(stale, { outcome: 'failed' })],
        at(LATER),
      );
      const other = { taskId: await addTask(store, queue), fence: 1 };
      const unknown = { taskId: anId(), fence: 3 };
      const nobody = { taskId: anId(), fence: null };
      const refs = [unknown, stale, fresh, { ...fresh, fence: 9 }, other, nobody];

      const answers = await store.attempts[method]('default', refs.map(item), at(LATER));

      expect(answers.map(({ taskId, fence }) => [taskId, fence])).toEqual(
        refs.map(({ taskId, fence }) => [taskId, fence ?? 0]),
      );
      const good = method === 'settle' ? 'applied' : 'held';
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toEqual(['lost', 'lost', good, 'lost', 'lost', 'lost']);
    });

    it('with a fence of null acts on whichever attempt is live', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      const { taskId } = await addClaimed(store, queue);
      const second = await claimOne(store, queue, { node: 'node-2' }, LATER);

      const answers = await store.attempts[method](
        'default',
        [item({ taskId, fence: null })],
        at(LATER),
      );

      expect(answers).toMatchObject([{ taskId, fence: second.fence }]);
      expect(answers[0]?.status).not.toBe('lost');
    });

    it('with a fence of null is lost when no attempt is live', async () => {
      await using store = await subject.open();
      const taskId = await addTask(store, await addQueue(store));

      const answers = await store.attempts[method](
        'default',
        [item({ taskId, fence: null })],
        at(NOON),
      );

      expect(answers).toMatchObject([{ taskId, fence: 0, status: 'lost' }]);
    });

    it('loses tasks of another namespace', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { namespace: 'theirs' });
      await addTask(store, queue);
      const claim = aClaim({ namespace: 'theirs', queueId: queue.id });
      const [theirs] = await store.attempts.claim(claim, at(NOON));
      if (!theirs) throw new Error('One was expected');
      const { taskId, fence } = theirs;

      for (const asked of [fence, null]) {
        const answers = await store.attempts[method](
          'default',
          [item({ taskId, fence: asked })],
          at(NOON),
        );
        expect(answers).toMatchObject([{ status: 'lost' }]);
      }
      expect(await store.tasks.peek('theirs', [taskId])).toMatchObject([{ state: 'running' }]);
    });

    it('takes an empty call', async () => {
      await using store = await subject.open();

      expect(await store.attempts[method]('default', [], at(NOON))).toEqual([]);
    });
  });
}
