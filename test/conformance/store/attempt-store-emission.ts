import { describe, expect, it } from 'vitest';
import {
  after,
  aNewTask,
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
  addTask,
  claimOne,
  expectExactCounts,
  getTask,
  listTasks,
  someCounts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function emissionConformance(subject: StoreUnderTest): void {
  describe('emissions', () => {
    it('are added in the step that settles', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store), await addQueue(store)];
      const claim = await addClaimed(store, queue);
      const task = aNewTask({ params: { from: claim.taskId }, priority: 2, key: textBytes('out') });
      const delayed = aNewTask({ delayMs: 1000 });
      const emit = [anEmission(next.id, { task }), anEmission(queue.id, { task: delayed })];

      await store.attempts.settle('default', [aSettlement(claim, { emit })], at(NOON));

      expect(await getTask(store, task.id)).toMatchObject({
        state: 'queued',
        queueId: next.id,
        key: 'out',
        params: { from: claim.taskId },
        priority: 2,
        createdAt: NOON,
      });
      expect(await getTask(store, delayed.id)).toMatchObject({
        state: 'delayed',
        notBefore: after(NOON, 1000),
      });
      await expectExactCounts(store);
    });

    it('replace or skip a task whose key stands already', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store), await addQueue(store)];
      const replaced = await addTask(store, next, { key: textBytes('a'), params: 1 });
      const skipped = await addTask(store, next, { key: textBytes('b'), params: 1 });
      const claim = await addClaimed(store, queue);

      const emit = [
        anEmission(next.id, { task: aNewTask({ key: textBytes('a'), params: 2 }) }),
        anEmission(next.id, {
          task: aNewTask({ key: textBytes('b'), params: 2 }),
          onConflict: 'skip',
        }),
      ];
      await store.attempts.settle('default', [aSettlement(claim, { emit })], at(NOON));

      expect(await getTask(store, replaced)).toMatchObject({ params: 2 });
      expect(await getTask(store, skipped)).toMatchObject({ params: 1 });
      expect(await someCounts(store, next)).toEqual({ queued: 2 });
    });

    it('make a finished task of that key wait again', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store), await addQueue(store)];
      const done = await addClaimed(store, next, { key: textBytes('k') });
      await store.attempts.settle('default', [aSettlement(done)], at(NOON));
      const claim = await addClaimed(store, queue);

      const emit = [anEmission(next.id, { task: aNewTask({ key: textBytes('k') }) })];
      await store.attempts.settle('default', [aSettlement(claim, { emit })], at(NOON));

      expect(await getTask(store, done.taskId)).toMatchObject({ state: 'queued', claimCount: 0 });
      await expectExactCounts(store);
    });

    it('with one key twice: the later one wins', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store), await addQueue(store)];
      const claim = await addClaimed(store, queue);
      const key = textBytes('k');

      const emit = [1, 2].map((params) => anEmission(next.id, { task: aNewTask({ key, params }) }));
      await store.attempts.settle('default', [aSettlement(claim, { emit })], at(NOON));

      expect(await listTasks(store, { queueIds: [next.id] })).toMatchObject([{ params: 2 }]);
    });

    it('come after the task’s own move, so that it may emit its own key', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const key = textBytes('k');
      const claim = await addClaimed(store, queue, { key, params: 1 });

      const emit = [anEmission(queue.id, { task: aNewTask({ key, params: 2 }) })];
      const answers = await store.attempts.settle(
        'default',
        [aSettlement(claim, { emit })],
        at(NOON),
      );

      expect(answers).toMatchObject([{ status: 'applied', state: 'queued' }]);
      expect(await getTask(store, claim.taskId)).toMatchObject({ state: 'queued', params: 2 });
      await expectExactCounts(store);
    });

    it('into a queue that is gone or of another namespace are dropped, and the rest is done', async () => {
      await using store = await subject.open();
      const [queue, doomed] = [await addQueue(store), await addQueue(store)];
      const theirs = await addQueue(store, { namespace: 'theirs' });
      await store.queues.delete({ id: doomed.id, tasks: 'keep' }, at(NOON));
      const claim = await addClaimed(store, queue);
      const kept = aNewTask();

      const emit = [
        anEmission(anId()),
        anEmission(doomed.id),
        anEmission(theirs.id),
        anEmission(queue.id, { task: kept }),
      ];
      const answers = await store.attempts.settle(
        'default',
        [aSettlement(claim, { emit })],
        at(NOON),
      );

      expect(answers).toMatchObject([{ status: 'applied', state: 'succeeded' }]);
      const listed = await listTasks(store);
      expect(listed.map(({ id }) => id)).toEqual([claim.taskId, kept.id]);
      expect(await listTasks(store, {}, { namespace: 'theirs' })).toEqual([]);
      await expectExactCounts(store);
    });

    it('are added once, however often the settlement is repeated', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      const settle = () => {
        const emit = [anEmission(queue.id)];
        return store.attempts.settle('default', [aSettlement(claim, { emit })], at(NOON));
      };

      const answers = (await Promise.all([settle(), settle(), settle()])).flat();

      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        'applied',
        'repeated',
        'repeated',
      ]);
      expect(await someCounts(store, queue)).toEqual({ succeeded: 1, queued: 1 });
    });

    it('of an attempt that lost its lease are not added', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(1) });
      const stale = await addClaimed(store, queue);
      const later = after(NOON, seconds(1));
      await claimOne(store, queue, {}, later);

      const emit = [anEmission(queue.id)];
      const answers = await store.attempts.settle(
        'default',
        [aSettlement(stale, { emit })],
        at(later),
      );

      expect(answers).toMatchObject([{ status: 'late', state: 'running' }]);
      expect(await someCounts(store, queue, later)).toEqual({ running: 1 });
    });

    it('come with failures and continuations as well', async () => {
      await using store = await subject.open();
      const [queue, next] = [await addQueue(store), await addQueue(store)];
      const failing = await addClaimed(store, queue, { priority: 1 });
      const items = [
        aSettlement(failing, {
          outcome: 'failed',
          next: goTo('failed'),
          emit: [anEmission(next.id)],
        }),
      ];
      const going = await addClaimed(store, queue);
      items.push(
        aSettlement(going, {
          outcome: 'continued',
          again: { rank: textBytes('z') },
          emit: [anEmission(next.id)],
        }),
      );

      await store.attempts.settle('default', items, at(NOON));

      expect(await someCounts(store, next)).toEqual({ queued: 2 });
    });
  });
}
