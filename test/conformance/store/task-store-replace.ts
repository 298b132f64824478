import { describe, expect, it } from 'vitest';
import type { NewTask, Store, Task } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewTask,
  aSettlement,
  at,
  bytes,
  goTo,
  minutes,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const KEY = textBytes('the key');
const LATER = after(NOON, seconds(1));
const NEW = { key: KEY, params: { new: true }, priority: 7, labels: { new: 'yes' } };

/** Submits the key again, one second later, and gives the task as it is then. */
async function replace(
  store: Store,
  { id: queueId }: { id: string },
  task: Partial<NewTask> = {},
): Promise<Task> {
  const tasks = [aNewTask({ ...NEW, ...task })];
  const answer = await store.tasks.submit({ queueId, tasks, onConflict: 'replace' }, at(LATER));
  if (answer.status !== 'submitted') throw new Error(answer.status);
  expect(answer.tasks).toMatchObject([{ outcome: 'replaced' }]);
  await expectExactCounts(store, LATER);
  return getTask(store, answer.tasks[0]?.id ?? '', LATER);
}

const ASKED_FOR = { params: { new: true }, priority: 7, labels: { new: 'yes' }, updatedAt: LATER };

export function replaceConformance(subject: StoreUnderTest): void {
  describe('replacing a task', () => {
    it('that is queued gives it the new fields in its old place', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { key: KEY });
      const next = await addTask(store, queue);

      const replaced = await replace(store, queue, { priority: 0 });

      expect(replaced).toMatchObject({ ...ASKED_FOR, id, priority: 0, state: 'queued' });
      expect(replaced).toMatchObject({ createdAt: NOON, fence: 0 });
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 2 }), at(LATER));
      expect(claims.map(({ taskId }) => taskId)).toEqual([id, next]);
    });

    it('that waits delays or readies it by its new notBefore', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { key: KEY });
      const ahead = after(NOON, minutes(5));

      expect(await replace(store, queue, { notBefore: ahead })).toMatchObject({
        state: 'delayed',
        notBefore: ahead,
      });
      expect(await replace(store, queue, { delayMs: minutes(9) })).toMatchObject({
        state: 'delayed',
        notBefore: after(LATER, minutes(9)),
      });
      expect(await replace(store, queue)).toMatchObject({ state: 'queued', notBefore: null });
    });

    it('that is held stays held, whatever the new one says', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { key: KEY, hold: 'operator' });

      expect(await replace(store, queue)).toMatchObject({
        ...ASKED_FOR,
        state: 'held',
        hold: 'operator',
      });
      expect(await replace(store, queue, { delayMs: 1000 })).toMatchObject({ state: 'held' });
    });

    it('that is queued stays queued when the new one would be held', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { key: KEY });

      expect(await replace(store, queue, { hold: 'operator' })).toMatchObject({
        state: 'queued',
        hold: null,
      });
    });

    it('that was admitted to a gated queue stays admitted', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      await addTask(store, queue, { key: KEY });
      await store.queues.admit({ queueId: queue.id, limit: 1, lease: null }, at(NOON));

      expect(await replace(store, queue)).toMatchObject({ state: 'queued' });
    });

    it('that is live leaves the attempt and its lease, and forgets what it reported', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue, { key: KEY });
      await store.attempts.renew('default', [{ ...claim, leaseMs: 60_000, data: 1 }], at(NOON));

      const replaced = await replace(store, queue, { delayMs: minutes(5) });

      expect(replaced).toMatchObject({
        ...ASKED_FOR,
        state: 'running',
        result: null,
        fence: claim.fence,
        attempt: { fence: claim.fence, node: 'node-1', expiresAt: after(NOON, 60_000) },
        claimCount: 1,
      });
      const settled = await store.attempts.settle('default', [aSettlement(claim)], at(LATER));
      expect(settled).toMatchObject([{ status: 'applied', state: 'succeeded' }]);
    });

    it('that is live makes it wait for its new notBefore should it go back', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue, { key: KEY });
      await replace(store, queue, { notBefore: after(NOON, minutes(5)) });

      const released = aSettlement(claim, { outcome: 'released' });
      const settled = await store.attempts.settle('default', [released], at(LATER));

      expect(settled).toMatchObject([{ state: 'delayed' }]);
      expect(await getTask(store, claim.taskId, LATER)).toMatchObject({
        params: { new: true },
        notBefore: after(NOON, minutes(5)),
      });
    });

    it('that is live leaves its limit keys, so that the limit holds', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, { limits });
      await addClaimed(store, queue, { key: KEY, params: { tenant: 'a' } });
      await replace(store, queue, { params: { tenant: 'b' } });
      await addTask(store, queue, { params: { tenant: 'a' } });
      const free = await addTask(store, queue, { params: { tenant: 'b' } });

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(LATER));

      expect(claims.map(({ taskId }) => taskId)).toEqual([free]);
    });

    it('that waits gives it the new limit keys', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, { limits });
      await addClaimed(store, queue, { params: { tenant: 'a' } });
      await addTask(store, queue, { key: KEY, params: { tenant: 'a' } });
      const claim = aClaim({ queueId: queue.id });

      expect(await store.attempts.claim(claim, at(LATER))).toEqual([]);
      await replace(store, queue, { params: { tenant: 'b' } });
      expect(await store.attempts.claim(claim, at(LATER))).toHaveLength(1);
    });

    it.each(['succeeded', 'failed', 'orphaned', 'terminated', 'cancelled'] as const)(
      'that is %s makes it wait again as new, with its history and a higher fence',
      async (state) => {
        await using store = await subject.open();
        const queue = await addQueue(store);
        const claim = await addClaimed(store, queue, { key: KEY });
        const first = aSettlement(claim, { outcome: 'orphaned', next: goTo('queued') });
        await store.attempts.settle('default', [first], at(NOON));
        const again = await claimOne(store, queue);
        const end = { outcome: 'failed', next: goTo(state), data: 1, error: 'x', code: 3 } as const;
        await store.attempts.settle('default', [aSettlement(again, end)], at(NOON));

        const replaced = await replace(store, queue);

        expect(replaced).toMatchObject({
          ...ASKED_FOR,
          id: claim.taskId,
          state: 'queued',
          result: null,
          error: null,
          code: null,
          endedAt: null,
          attempt: null,
          claimCount: 0,
          tryCount: 0,
          lossCount: 0,
          roundCount: 0,
          fence: again.fence + 1,
          lastOutcome: 'failed',
          cancelRequestedAt: null,
          createdAt: NOON,
        });
        expect(await listAttempts(store, claim.taskId, LATER)).toHaveLength(2);
        const third = await claimOne(store, queue, {}, LATER);
        expect(third).toMatchObject({ fence: again.fence + 2, claimCount: 1 });
      },
    );

    it('that has ended takes the rank, hold and delay of the new one', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const end = async () => {
        const claim = await claimOne(store, queue, {}, LATER);
        await store.attempts.settle('default', [aSettlement(claim)], at(LATER));
      };
      await addTask(store, queue, { key: KEY });
      await end();

      expect(await replace(store, queue, { rank: bytes(255), priority: 0 })).toMatchObject({
        state: 'queued',
      });
      const other = await addTask(store, queue, { rank: bytes(254) });
      expect((await claimOne(store, queue, {}, LATER)).taskId).toBe(other);
      await end();
      expect(await replace(store, queue, { hold: 'operator' })).toMatchObject({
        state: 'held',
        endedAt: null,
      });
      const { id } = await getTask(store, (await replace(store, queue)).id, LATER);
      await store.tasks.move({ namespace: 'default', ids: [id], move: 'cancel' }, at(LATER));
      expect(await replace(store, queue, { delayMs: 1000 })).toMatchObject({ state: 'delayed' });
    });

    it('that was asked to stop and did forgets the request', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue, { key: KEY });
      const some = { namespace: 'default', ids: [claim.taskId] };
      await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));
      const stopped = aSettlement(claim, { outcome: 'cancelled' });
      await store.attempts.settle('default', [stopped], at(NOON));

      expect(await replace(store, queue)).toMatchObject({
        state: 'queued',
        cancelRequestedAt: null,
      });
    });
  });
}
