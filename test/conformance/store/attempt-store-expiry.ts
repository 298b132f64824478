import { describe, expect, it } from 'vitest';
import type { NewQueue, Store, Task } from '../../../src/core/store/index.ts';
import { aBeat, after, aNewTask, at, hours, NOON, seconds } from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
  someCounts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(10));

/** Claims and loses a task of such a queue `losses` times. */
async function loseTask(store: Store, settings: Partial<NewQueue>, losses = 1): Promise<Task> {
  const queue = await addQueue(store, { leaseMs: 1000, ...settings });
  const id = await addTask(store, queue);
  for (let loss = 1; loss <= losses; loss++) {
    await claimOne(store, queue, {}, after(NOON, loss * 1000));
    await store.attempts.expireDue({ now: after(NOON, (loss + 1) * 1000), limit: 9 });
  }
  await expectExactCounts(store, LATER);
  return getTask(store, id, LATER);
}

export function expiryConformance(subject: StoreUnderTest): void {
  describe('attempts.expireDue', () => {
    it('ends an attempt at its lease’s end as orphaned, with the data so far', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      const renewal = { ...claim, leaseMs: seconds(10), data: { at: 50 } };
      await store.attempts.renew('default', [renewal], at(NOON));

      expect(await store.attempts.expireDue({ now: after(LATER, -1), limit: 9 })).toEqual({
        expired: 0,
        readied: 0,
      });
      expect(await store.attempts.expireDue({ now: LATER, limit: 9 })).toEqual({
        expired: 1,
        readied: 0,
      });

      expect(await getTask(store, claim.taskId, LATER)).toMatchObject({
        state: 'queued',
        result: null,
        error: null,
        code: null,
        attempt: null,
        fence: claim.fence,
        claimCount: 1,
        tryCount: 1,
        lossCount: 1,
        lastOutcome: 'orphaned',
        updatedAt: LATER,
        endedAt: null,
      });
      expect(await listAttempts(store, claim.taskId, LATER)).toMatchObject([
        {
          outcome: 'orphaned',
          endedAt: LATER,
          expiresAt: LATER,
          data: { at: 50 },
          error: null,
          code: null,
          late: null,
        },
      ]);
      await expectExactCounts(store, LATER);
    });

    it('ends attempts that were claimed and never started', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      const { taskId } = await addClaimed(store, queue, {}, { start: false });

      await store.attempts.expireDue({ now: LATER, limit: 9 });

      expect(await listAttempts(store, taskId, LATER)).toMatchObject([
        { outcome: 'orphaned', startedAt: null },
      ]);
    });

    it('leaves attempts alone that were renewed', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store, { leaseMs: 1000 }));
      await store.attempts.renew('default', [{ ...claim, leaseMs: hours(1) }], at(NOON));

      expect(await store.attempts.expireDue({ now: LATER, limit: 9 })).toMatchObject({
        expired: 0,
      });
    });

    it('readies delayed tasks whose time has come', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { notBefore: LATER });

      expect(await store.attempts.expireDue({ now: after(LATER, -1), limit: 9 })).toMatchObject({
        readied: 0,
      });
      expect(await store.attempts.expireDue({ now: LATER, limit: 9 })).toMatchObject({
        readied: 1,
      });

      expect(await store.tasks.peek('default', [id])).toMatchObject([
        { state: 'queued', updatedAt: LATER, fence: 0 },
      ]);
    });

    it('does at most `limit` of each, the earliest first', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { onLost: 'park' });
      const leases = [3, 1, 2].map((count) => seconds(count));
      const claims = [];
      for (const leaseMs of leases) claims.push(await addClaimed(store, queue, {}, { leaseMs }));
      const delayed = await addTasks(
        store,
        queue,
        leases.map((delayMs) => aNewTask({ delayMs })),
      );
      const states = async (ids: readonly string[]) =>
        (await store.tasks.peek('default', ids)).map((task) => task?.state);
      const ids = claims.map(({ taskId }) => taskId);

      expect(await store.attempts.expireDue({ now: LATER, limit: 1 })).toEqual({
        expired: 1,
        readied: 1,
      });
      expect(await states(ids)).toEqual(['running', 'orphaned', 'running']);
      expect(await states(delayed)).toEqual(['delayed', 'queued', 'delayed']);
      expect(await store.attempts.expireDue({ now: LATER, limit: 5 })).toEqual({
        expired: 2,
        readied: 2,
      });
      expect(await store.attempts.expireDue({ now: LATER, limit: 5 })).toEqual({
        expired: 0,
        readied: 0,
      });
    });

    it('works in all namespaces', async () => {
      await using store = await subject.open();
      for (const namespace of ['one', 'two']) {
        await addTask(store, await addQueue(store, { namespace }), { delayMs: 1 });
      }

      expect(await store.attempts.expireDue({ now: LATER, limit: 9 })).toMatchObject({
        readied: 2,
      });
    });

    it('ends each lease once, however many look at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1000 });
      for (let i = 0; i < 10; i++) await addClaimed(store, queue);

      const answers = await Promise.all(
        Array.from({ length: 6 }, () => store.attempts.expireDue({ now: LATER, limit: 4 })),
      );

      expect(answers.reduce((sum, { expired }) => sum + expired, 0)).toBe(10);
      await expectExactCounts(store, LATER);
      expect(await someCounts(store, queue, LATER)).toEqual({ queued: 10 });
    });
  });

  describe('a lost task', () => {
    it('goes back to its queue with onLost: requeue', async () => {
      await using store = await subject.open();
      expect(await loseTask(store, { onLost: 'requeue' }, 5)).toMatchObject({
        state: 'queued',
        lossCount: 5,
        tryCount: 5,
        claimCount: 5,
      });
    });

    it('is orphaned with onLost: park', async () => {
      await using store = await subject.open();
      expect(await loseTask(store, { onLost: 'park' })).toMatchObject({
        state: 'orphaned',
        endedAt: after(NOON, 2000),
      });
    });

    it('has failed with onLost: fail', async () => {
      await using store = await subject.open();
      expect(await loseTask(store, { onLost: 'fail' })).toMatchObject({
        state: 'failed',
        error: null,
        lastOutcome: 'orphaned',
      });
    });

    it('is quarantined at maxLosses', async () => {
      await using store = await subject.open();
      expect(await loseTask(store, { maxLosses: 3 }, 2)).toMatchObject({ state: 'queued' });
      expect(await loseTask(store, { maxLosses: 3 }, 3)).toMatchObject({
        state: 'held',
        hold: 'quarantined',
        lossCount: 3,
      });
    });

    it('has failed at maxAttempts', async () => {
      await using store = await subject.open();
      expect(await loseTask(store, { maxAttempts: 2 }, 1)).toMatchObject({ state: 'queued' });
      expect(await loseTask(store, { maxAttempts: 2 }, 2)).toMatchObject({ state: 'failed' });
    });

    it('is terminated when it was asked to cancel', async () => {
      await using store = await subject.open();
      const { taskId } = await addClaimed(store, await addQueue(store, { leaseMs: 1000 }));
      const some = { namespace: 'default', ids: [taskId] };
      await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));

      expect(await getTask(store, taskId, LATER)).toMatchObject({ state: 'terminated' });
    });
  });

  describe('attempts.nextDue', () => {
    it('is the earliest end of a lease or a delay in the namespace, else null', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(30) });
      const due = () => store.attempts.nextDue('default');
      expect(await due()).toBeNull();

      await addTask(store, queue);
      expect(await due()).toBeNull();
      await addClaimed(store, queue, { priority: 1 });
      expect(await due()).toEqual(after(NOON, seconds(30)));
      await addTask(store, queue, { delayMs: seconds(5) });
      expect(await due()).toEqual(after(NOON, seconds(5)));
      await addTask(store, await addQueue(store, { namespace: 'theirs' }), { delayMs: 1 });
      expect(await due()).toEqual(after(NOON, seconds(5)));
      await store.attempts.expireDue({ now: LATER, limit: 9 });
      expect(await due()).toEqual(after(NOON, seconds(30)));
      await store.attempts.expireDue({ now: after(NOON, seconds(30)), limit: 9 });
      expect(await due()).toBeNull();
    });

    it('does not wait for a held task', async () => {
      await using store = await subject.open();
      const delayed = { delayMs: 1000, hold: 'operator' } as const;
      await addTask(store, await addQueue(store), delayed);

      expect(await store.attempts.nextDue('default')).toBeNull();
    });
  });
}
