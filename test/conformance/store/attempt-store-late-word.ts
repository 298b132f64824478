import { describe, expect, it } from 'vitest';
import type { Claim, Settlement, Store } from '../../../src/core/store/index.ts';
import {
  after,
  anEmission,
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
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
  someCounts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(1));
const LATEST = after(NOON, seconds(2));

async function say(store: Store, claim: Claim, settlement: Partial<Settlement> = {}, now = LATEST) {
  const [answer] = await store.attempts.settle(
    'default',
    [aSettlement(claim, settlement)],
    at(now),
  );
  return [answer?.status, answer?.state];
}

/** A claim whose lease is over and was noticed at LATER. */
async function lose(store: Store, queue: { id: string }, task = {}): Promise<Claim> {
  const claim = await addClaimed(store, queue, task, { leaseMs: seconds(1) });
  await store.attempts.expireDue({ now: LATER, limit: 9 });
  return claim;
}

export function lateWordConformance(subject: StoreUnderTest): void {
  describe('a settlement after the end', () => {
    it('with the same outcome is `repeated` and changes nothing', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await say(store, claim, { data: 1 }, NOON);
      const before = await getTask(store, claim.taskId);

      expect(await say(store, claim, { data: 2, error: 'x' })).toEqual(['repeated', 'succeeded']);

      expect(await getTask(store, claim.taskId)).toEqual(before);
      expect(await listAttempts(store, claim.taskId)).toMatchObject([{ data: 1, late: null }]);
    });

    it('is kept in the same call that ends the task’s live attempt', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const lost = await lose(store, queue);
      const live = await claimOne(store, queue, {}, LATER);
      const items = [aSettlement(live, { data: 2 }), aSettlement(lost, { data: 1 })];

      const answers = await store.attempts.settle('default', items, at(LATEST));

      expect(answers).toMatchObject([
        { fence: live.fence, status: 'applied', state: 'succeeded' },
        { fence: lost.fence, status: 'late', state: 'succeeded' },
      ]);
      expect(await listAttempts(store, live.taskId, LATEST)).toMatchObject([
        { fence: lost.fence, outcome: 'orphaned', late: { outcome: 'succeeded', data: 1 } },
        { fence: live.fence, outcome: 'succeeded', data: 2, late: null },
      ]);
    });

    it('is `repeated` even when the task has gone on since', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      const failing = { outcome: 'failed', next: goTo('queued') } as const;
      await say(store, claim, failing, NOON);
      const second = await claimOne(store, queue);

      expect(await say(store, claim, failing)).toEqual(['repeated', 'running']);
      expect(await getTask(store, claim.taskId)).toMatchObject({
        fence: second.fence,
        tryCount: 1,
      });
    });

    it('with another outcome is `late`: the word is kept on the attempt and nothing else changes', async () => {
      await using store = await subject.open();
      const claim = await lose(store, await addQueue(store));
      const before = await getTask(store, claim.taskId, LATER);

      expect(
        await say(store, claim, { outcome: 'failed', data: { rows: 1 }, error: 'x', code: 4 }),
      ).toEqual(['late', 'queued']);

      expect(await getTask(store, claim.taskId, LATER)).toEqual(before);
      expect(await listAttempts(store, claim.taskId, LATER)).toMatchObject([
        {
          outcome: 'orphaned',
          endedAt: LATER,
          data: null,
          error: null,
          code: null,
          late: { outcome: 'failed', data: { rows: 1 }, at: LATEST },
        },
      ]);
      await expectExactCounts(store, LATEST);
    });

    it('keeps a late word without data as null', async () => {
      await using store = await subject.open();
      const claim = await lose(store, await addQueue(store));

      await say(store, claim, { outcome: 'failed' });

      const [attempt] = await listAttempts(store, claim.taskId, LATER);
      expect(attempt?.late).toEqual({ outcome: 'failed', data: null, at: LATEST });
    });

    it('keeps one late word: the same again is `repeated`, another is `lost`', async () => {
      await using store = await subject.open();
      const claim = await lose(store, await addQueue(store));
      await say(store, claim, { outcome: 'failed', data: 1 });

      expect(await say(store, claim, { outcome: 'failed', data: 2 })).toEqual([
        'repeated',
        'queued',
      ]);
      expect(await say(store, claim, { outcome: 'succeeded', data: 3 })).toEqual([
        'lost',
        'queued',
      ]);
      expect(await listAttempts(store, claim.taskId, LATER)).toMatchObject([{ late: { data: 1 } }]);
    });

    it('never changes a task that another attempt holds', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const stale = await lose(store, queue);
      const fresh = await claimOne(store, queue, { node: 'node-2' }, LATER);
      const before = await getTask(store, stale.taskId, LATER);

      expect(await say(store, stale, { data: 'stale' })).toEqual(['late', 'running']);

      expect(await getTask(store, stale.taskId, LATER)).toEqual(before);
      expect(await say(store, fresh, { data: 'fresh' })).toEqual(['applied', 'succeeded']);
      expect((await getTask(store, stale.taskId, LATER)).result).toBe('fresh');
    });

    it('is `lost` for an attempt that never was, with the state the task has', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));

      expect(await say(store, { ...claim, fence: claim.fence + 1 })).toEqual(['lost', 'running']);
      expect(await say(store, { ...claim, fence: 0 })).toEqual(['lost', 'running']);
      expect(await say(store, { ...claim, taskId: anId() })).toEqual(['lost', null]);
    });
  });

  describe('a late success', () => {
    it.each([
      ['failed', 'fail'],
      ['orphaned', 'park'],
    ] as const)(
      'of the last attempt makes a task that is %s succeeded, with its emissions',
      async (state, onLost) => {
        await using store = await subject.open();
        const [queue, next] = [await addQueue(store, { onLost }), await addQueue(store)];
        const claim = await lose(store, queue, { key: textBytes('k') });
        expect(await stateOf(store, claim.taskId, LATER)).toBe(state);
        const success = { data: { rows: 7 }, code: 0, emit: [anEmission(next.id)] };

        expect(await say(store, claim, success)).toEqual(['applied', 'succeeded']);

        expect(await getTask(store, claim.taskId, LATEST)).toMatchObject({
          state: 'succeeded',
          result: { rows: 7 },
          code: 0,
          error: null,
          lastOutcome: 'succeeded',
          tryCount: 1,
          lossCount: 1,
          endedAt: LATEST,
          updatedAt: LATEST,
        });
        expect(await listAttempts(store, claim.taskId, LATEST)).toMatchObject([
          {
            outcome: 'orphaned',
            endedAt: LATER,
            late: { outcome: 'succeeded', data: { rows: 7 } },
          },
        ]);
        expect(await someCounts(store, next, LATEST)).toEqual({ queued: 1 });
        await expectExactCounts(store, LATEST);
      },
    );

    it('of an attempt that failed wins as well', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));
      await say(store, claim, { outcome: 'failed', error: 'x' }, NOON);

      expect(await say(store, claim)).toEqual(['applied', 'succeeded']);
      expect(await getTask(store, claim.taskId)).toMatchObject({ error: null });
    });

    it('happens once: repeated, it adds nothing', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store, { onLost: 'fail' }), await addQueue(store)];
      const claim = await lose(store, queue);
      const succeed = () => say(store, claim, { emit: [anEmission(next.id)] });

      expect(await succeed()).toEqual(['applied', 'succeeded']);
      expect(await succeed()).toEqual(['repeated', 'succeeded']);
      expect(await someCounts(store, next)).toEqual({ queued: 1 });
    });

    it('of an earlier attempt is only late', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = await lose(store, queue);
      const second = await claimOne(store, queue, {}, LATER);
      await say(store, second, { outcome: 'failed' }, LATER);

      const emit = [anEmission(queue.id)];

      expect(await say(store, first, { emit })).toEqual(['late', 'failed']);
      expect(await someCounts(store, queue, LATEST)).toEqual({ failed: 1 });
    });

    it('of a task that is queued, cancelled or terminated is only late', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const queued = await lose(store, queue);
      const cancelled = await lose(store, queue, { priority: 1 });
      const some = { namespace: 'default', ids: [cancelled.taskId] };
      await store.tasks.move({ ...some, move: 'cancel' }, at(LATER));
      const terminated = await addClaimed(store, queue, { priority: 2 });
      await say(store, terminated, { outcome: 'cancelled' }, LATER);

      expect(await say(store, queued)).toEqual(['late', 'queued']);
      expect(await say(store, cancelled)).toEqual(['late', 'cancelled']);
      expect(await say(store, terminated)).toEqual(['late', 'terminated']);
    });

    it('of a task that was put back since is only late', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { onLost: 'fail' });
      const claim = await lose(store, queue);
      const some = { namespace: 'default', ids: [claim.taskId] };
      await store.tasks.move({ ...some, move: 'retry' }, at(LATER));

      expect(await say(store, claim)).toEqual(['late', 'queued']);
    });
  });
}
