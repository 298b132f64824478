import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../../src/core/store/index.ts';
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
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(5));

export function goingBackConformance(subject: StoreUnderTest): void {
  describe('settling a task that is to wait again', () => {
    it('drops the result when the task waits again, and keeps it with the attempt', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      for (const next of [goTo('queued'), goTo('queued', { delayMs: 1000 }), goTo('held')]) {
        const claim = await addClaimed(store, queue, { priority: 1 });
        const failing = aSettlement(claim, {
          outcome: 'failed',
          next,
          data: 1,
          error: 'x',
          code: 2,
        });
        await store.attempts.settle('default', [failing], at(NOON));

        const task = await getTask(store, claim.taskId);
        expect(task).toMatchObject({ result: null, error: 'x', code: 2, endedAt: null });
        expect(await listAttempts(store, claim.taskId)).toMatchObject([
          { data: 1, error: 'x', code: 2 },
        ]);
        await store.tasks.delete({ namespace: 'default', ids: [claim.taskId] }, at(NOON));
      }
    });

    it('puts a task back in its place, at once or after a delay', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const [first, second] = await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const settle = async (delayMs: number) => {
        const claim = await claimOne(store, queue);
        const next = goTo('queued', { delayMs });
        await store.attempts.settle(
          'default',
          [aSettlement(claim, { outcome: 'failed', next })],
          at(NOON),
        );
        return claim.taskId;
      };

      expect(await settle(0)).toBe(first);
      expect((await getTask(store, first ?? '')).notBefore).toBeNull();
      expect(await settle(seconds(5))).toBe(first);
      expect(await getTask(store, first ?? '')).toMatchObject({
        state: 'delayed',
        notBefore: LATER,
      });
      expect(await settle(0)).toBe(second);
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 2 }), at(LATER));
      expect(claims.map(({ taskId }) => taskId)).toEqual([first, second]);
      await expectExactCounts(store, LATER);
    });

    it('delays until the later of notBefore and now + delayMs', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      const ahead = after(NOON, minutes(5));
      await store.tasks.edit(
        { namespace: 'default', ids: [claim.taskId], change: { notBefore: ahead } },
        at(NOON),
      );

      const next = goTo('queued', { delayMs: 1000 });
      await store.attempts.settle(
        'default',
        [aSettlement(claim, { outcome: 'failed', next })],
        at(NOON),
      );

      expect(await getTask(store, claim.taskId)).toMatchObject({
        state: 'delayed',
        notBefore: ahead,
      });
    });

    it('holds a task for the reason given, else for the operator', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      for (const hold of ['quarantined', null] as const) {
        const claim = await addClaimed(store, queue);
        const failing = aSettlement(claim, { outcome: 'failed', next: goTo('held', { hold }) });
        await store.attempts.settle('default', [failing], at(NOON));
        expect(await getTask(store, claim.taskId)).toMatchObject({
          state: 'held',
          hold: hold ?? 'operator',
        });
      }
    });

    it('with `again` gives a new place and, if given, new params', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = await addClaimed(store, queue, { params: { page: 1 } });
      const second = await addTask(store, queue);
      const goOn = (again: Settlement['again']) => ({ outcome: 'continued', again }) as const;

      const back = goOn({ rank: bytes(255), params: { page: 2 } });
      await store.attempts.settle('default', [aSettlement(first, back)], at(NOON));

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 2 }), at(NOON));
      expect(claims).toMatchObject([
        { taskId: second },
        { taskId: first.taskId, params: { page: 2 }, roundCount: 1, tryCount: 0, claimCount: 2 },
      ]);
      const [, again] = claims;
      if (!again) throw new Error('Two were expected');
      const front = goOn({ rank: bytes(0) });
      await store.attempts.settle('default', [aSettlement(again, front)], at(NOON));
      await addTask(store, queue);
      expect(await claimOne(store, queue)).toMatchObject({
        taskId: first.taskId,
        params: { page: 2 },
        roundCount: 2,
      });
    });

    it.each(['queued', 'held'] as const)(
      'terminates a task that was asked to cancel where `next` says %s',
      async (state) => {
        await using store = await subject.open();
        const queue = await addQueue(store);
        const claim = await addClaimed(store, queue);
        const some = { namespace: 'default', ids: [claim.taskId] };
        await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));

        const failing = {
          outcome: 'failed',
          next: goTo(state, { delayMs: 1000 }),
          data: 1,
        } as const;
        const answers = await store.attempts.settle(
          'default',
          [aSettlement(claim, failing)],
          at(LATER),
        );

        expect(answers).toMatchObject([{ status: 'applied', state: 'terminated' }]);
        expect(await getTask(store, claim.taskId, LATER)).toMatchObject({
          state: 'terminated',
          result: 1,
          endedAt: LATER,
          cancelRequestedAt: NOON,
        });
        await expectExactCounts(store, LATER);
      },
    );

    it('lets a task that was asked to cancel end as it ended', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      for (const outcome of ['succeeded', 'failed'] as const) {
        const claim = await addClaimed(store, queue);
        const some = { namespace: 'default', ids: [claim.taskId] };
        await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));
        await store.attempts.settle('default', [aSettlement(claim, { outcome })], at(NOON));
        expect(await stateOf(store, claim.taskId)).toBe(outcome);
      }
    });
  });
}
