import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewTask,
  aSettlement,
  at,
  goTo,
  NOON,
  seconds,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTasks,
  expectExactCounts,
  getTask,
  listAttempts,
  someCounts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(5));

export function settleConformance(subject: StoreUnderTest): void {
  describe('attempts.settle', () => {
    it('ends the attempt and the task in one step', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store, { name: 'work' }));
      const { taskId, fence } = claim;

      const settlement = aSettlement(claim, { data: { rows: 3 }, code: 0, error: 'a warning' });
      const answers = await store.attempts.settle('default', [settlement], at(LATER));

      expect(answers).toEqual([{ taskId, fence, status: 'applied', state: 'succeeded' }]);
      expect(await getTask(store, taskId, LATER)).toMatchObject({
        state: 'succeeded',
        result: { rows: 3 },
        code: 0,
        error: 'a warning',
        attempt: null,
        fence,
        tryCount: 1,
        lastOutcome: 'succeeded',
        updatedAt: LATER,
        endedAt: LATER,
      });
      expect(await listAttempts(store, taskId, LATER)).toEqual([
        {
          taskId,
          queue: 'work',
          key: null,
          fence,
          node: 'node-1',
          claimedAt: NOON,
          startedAt: NOON,
          expiresAt: claim.expiresAt,
          endedAt: LATER,
          outcome: 'succeeded',
          data: { rows: 3 },
          error: 'a warning',
          code: 0,
          late: null,
        },
      ]);
      await expectExactCounts(store, LATER);
    });

    it.each(['succeeded', 'failed', 'cancelled', 'terminated', 'orphaned'] as const)(
      'leads to %s where `next` says so',
      async (state) => {
        await using store = await subject.open();
        const queue = await addQueue(store);
        const claim = await addClaimed(store, queue, {}, { start: false });

        const settlement = aSettlement(claim, { outcome: 'failed', next: goTo(state) });
        const answers = await store.attempts.settle('default', [settlement], at(LATER));

        expect(answers).toMatchObject([{ status: 'applied', state }]);
        expect(await getTask(store, claim.taskId, LATER)).toMatchObject({ state, endedAt: LATER });
        expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(LATER))).toEqual([]);
        await expectExactCounts(store, LATER);
      },
    );

    it.each([
      ['succeeded', true, { tryCount: 1, lossCount: 0, roundCount: 0 }],
      ['failed', true, { tryCount: 1, lossCount: 0, roundCount: 0 }],
      ['timed-out', true, { tryCount: 1, lossCount: 0, roundCount: 0 }],
      ['cancelled', false, { tryCount: 0, lossCount: 0, roundCount: 0 }],
      ['orphaned', true, { tryCount: 1, lossCount: 1, roundCount: 0 }],
      ['orphaned', false, { tryCount: 0, lossCount: 1, roundCount: 0 }],
      ['released', false, { tryCount: 0, lossCount: 0, roundCount: 0 }],
      ['continued', false, { tryCount: 0, lossCount: 0, roundCount: 1 }],
    ] as const)(
      'counts an attempt that was %s (counted: %s)',
      async (outcome, counted, counters) => {
        await using store = await subject.open();
        const claim = await addClaimed(store, await addQueue(store));

        await store.attempts.settle(
          'default',
          [aSettlement(claim, { outcome, counted })],
          at(NOON),
        );

        expect(await getTask(store, claim.taskId)).toMatchObject({
          ...counters,
          claimCount: 1,
          lastOutcome: outcome,
        });
        expect(await listAttempts(store, claim.taskId)).toMatchObject([{ outcome }]);
      },
    );

    it('keeps the result that `renew` reported when none is given', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await store.attempts.renew(
        'default',
        [{ ...claim, leaseMs: 1000, data: 'so far' }],
        at(NOON),
      );

      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));

      expect((await getTask(store, claim.taskId)).result).toBe('so far');
      expect(await listAttempts(store, claim.taskId)).toMatchObject([{ data: 'so far' }]);
    });

    it('takes a result of null for what it is', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await store.attempts.renew(
        'default',
        [{ ...claim, leaseMs: 1000, data: 'so far' }],
        at(NOON),
      );

      await store.attempts.settle('default', [aSettlement(claim, { data: null })], at(NOON));

      expect((await getTask(store, claim.taskId)).result).toBeNull();
    });

    it('works past the lease’s end while nobody detached it', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store, { leaseMs: 10 }));

      const answers = await store.attempts.settle('default', [aSettlement(claim)], at(LATER));

      expect(answers).toMatchObject([{ status: 'applied', state: 'succeeded' }]);
    });

    it('ends many in one step, in order, those of one task one after the other', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTasks(
        store,
        queue,
        Array.from({ length: 50 }, () => aNewTask()),
      );
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 50 }), at(NOON));
      const outcomes: AttemptOutcome[] = ['succeeded', 'failed', 'released'];
      const items = claims.map((claim, index) => {
        const outcome = outcomes[index % 3];
        return aSettlement(claim, outcome && { outcome });
      });
      const [first] = items;
      if (!first) throw new Error('Fifty were expected');

      const answers = await store.attempts.settle('default', [...items, first], at(NOON));

      expect(answers.map(({ taskId }) => taskId)).toEqual(
        [...claims, first].map(({ taskId }) => taskId),
      );
      expect(answers.map(({ status }) => status)).toEqual([
        ...Array(50).fill('applied'),
        'repeated',
      ]);
      expect(await someCounts(store, queue)).toEqual({ succeeded: 17, failed: 17, queued: 16 });
      await expectExactCounts(store);
    });
  });
}
