import { describe, expect, it } from 'vitest';
import type { ClaimContinuousStep, Store } from '../../../src/core/store/index.ts';
import {
  aBeat,
  aClaim,
  after,
  aNewTask,
  anId,
  aSettlement,
  at,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  changeQueue,
  expectExactCounts,
  getQueue,
  getTask,
  listTasks,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const CONTINUOUS = { continuous: true, canBeContinuous: true, intervalMs: seconds(60) };

function claimContinuous(
  store: Store,
  { id: queueId }: { id: string },
  request: Partial<ClaimContinuousStep> = {},
  now = NOON,
) {
  const task = aNewTask({ key: textBytes(String(now.getTime())) });
  const base = { queueId, token: null, expectedNextAt: null, task, node: 'node-1' };
  return store.attempts.claimContinuous(
    { ...base, start: true, leaseMs: null, ...request },
    at(now),
  );
}

export function continuousConformance(subject: StoreUnderTest): void {
  describe('attempts.claimContinuous', () => {
    it('makes a task, already claimed, and sets the next instant', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { ...CONTINUOUS, name: 'tick', leaseMs: 5000 });
      const task = aNewTask({ key: textBytes('now'), params: { a: 1 }, priority: 2 });

      const claim = await claimContinuous(store, queue, { task });

      expect(claim).toEqual({
        taskId: task.id,
        queueId: queue.id,
        queue: 'tick',
        key: 'now',
        params: { a: 1 },
        priority: 2,
        labels: {},
        fence: 1,
        claimCount: 1,
        tryCount: 0,
        roundCount: 0,
        claimedAt: NOON,
        expiresAt: after(NOON, 5000),
      });
      expect(await getTask(store, task.id)).toMatchObject({ state: 'running' });
      expect(await getQueue(store, queue)).toMatchObject({
        nextContinuousAt: after(NOON, seconds(60)),
        revision: 1,
        updatedAt: NOON,
      });
      await expectExactCounts(store);
    });

    it('makes one, however many ask at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { ...CONTINUOUS, intervalMs: 0 });

      const claims = await Promise.all(
        Array.from({ length: 8 }, () =>
          claimContinuous(store, queue, { task: aNewTask({ key: textBytes(anId()) }) }),
        ),
      );

      expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
      expect(await listTasks(store)).toHaveLength(1);
    });

    it('makes none unless the queue is at the instant expected and that has come', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);
      const first = await claimContinuous(store, queue);
      if (!first) throw new Error('One was expected');
      await store.attempts.settle('default', [aSettlement(first)], at(NOON));
      const next = after(NOON, seconds(60));

      expect(await claimContinuous(store, queue, { expectedNextAt: null }, next)).toBeNull();
      expect(await claimContinuous(store, queue, { expectedNextAt: NOON }, next)).toBeNull();
      expect(
        await claimContinuous(store, queue, { expectedNextAt: next }, after(next, -1)),
      ).toBeNull();
      expect(await listTasks(store, {}, { now: next })).toHaveLength(1);
      expect(await claimContinuous(store, queue, { expectedNextAt: next }, next)).not.toBeNull();
      expect((await getQueue(store, queue)).nextContinuousAt).toEqual(after(next, seconds(60)));
    });

    it('makes none while something is queued or live', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { ...CONTINUOUS, intervalMs: 0 });
      await addTask(store, queue);

      expect(await claimContinuous(store, queue)).toBeNull();
      const [claim] = await store.attempts.claim(
        aClaim({ queueId: queue.id, start: false }),
        at(NOON),
      );
      if (!claim) throw new Error('One was expected');
      expect(await claimContinuous(store, queue)).toBeNull();
      await store.attempts.start('default', [claim], at(NOON));
      expect(await claimContinuous(store, queue)).toBeNull();
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      expect(await claimContinuous(store, queue)).not.toBeNull();
    });

    it('makes none while one is queued and another live', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);
      await addClaimed(store, queue, {}, { start: false });
      await addTask(store, queue);

      expect(await claimContinuous(store, queue)).toBeNull();
    });

    it('makes one where the limits leave room for one', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, {
        ...CONTINUOUS,
        maxRunning: 1,
        maxRunningPerNode: 1,
        limits,
      });
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { maxRunning: 1 }, at(NOON));

      expect(await claimContinuous(store, queue)).not.toBeNull();
    });

    it('is as of now: a delayed task that is due is queued', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);
      await addTask(store, queue, { delayMs: 1000 });

      expect(await claimContinuous(store, queue, {}, after(NOON, 1000))).toBeNull();
      expect(await listTasks(store)).toHaveLength(1);
    });

    it('is not kept from it by tasks that are delayed, held or ended', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);
      await addTask(store, queue, { delayMs: 1000 });
      await addTask(store, queue, { hold: 'operator' });

      expect(await claimContinuous(store, queue)).not.toBeNull();
    });

    it('makes none in a queue that is not continuous, paused, deleted or not there', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);

      await changeQueue(store, queue, { continuous: false });
      expect(await claimContinuous(store, queue)).toBeNull();
      await changeQueue(store, queue, { continuous: true, paused: true });
      expect(await claimContinuous(store, queue)).toBeNull();
      await changeQueue(store, queue, { paused: false });
      expect(await claimContinuous(store, queue)).not.toBeNull();
      await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));
      expect(await claimContinuous(store, queue)).toBeNull();
      expect(await claimContinuous(store, { id: anId() })).toBeNull();
    });

    it('obeys node rules, wishes and limits as a claim does', async () => {
      await using store = await subject.open();
      const limit = { name: 'tenant', by: 'tenant', max: 0, perMs: null };
      for (const setting of [
        { maxRunning: 0 },
        { maxRunningPerNode: 0 },
        { limits: [limit] },
        { nodesOnly: [] },
        { nodesNot: ['node-1'] },
      ]) {
        const queue = await addQueue(store, { ...CONTINUOUS, ...setting });
        expect(await claimContinuous(store, queue)).toBeNull();
        expect((await getQueue(store, queue)).nextContinuousAt).toBeNull();
      }
      const queue = await addQueue(store, CONTINUOUS);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { maxRunning: 0 }, at(NOON));
      expect(await claimContinuous(store, queue)).toBeNull();
      await store.nodes.update('default', 'node-1', { maxRunning: null, wish: 'drain' }, at(NOON));
      expect(await claimContinuous(store, queue)).toBeNull();
    });

    it('claims the finished task of that key again, as if it were new', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { ...CONTINUOUS, intervalMs: 0 });
      const key = textBytes('same');
      const first = await claimContinuous(store, queue, { task: aNewTask({ key, params: 1 }) });
      if (!first) throw new Error('One was expected');
      await store.attempts.settle('default', [aSettlement(first, { outcome: 'failed' })], at(NOON));

      const task = aNewTask({ key, params: 2 });
      const second = await claimContinuous(store, queue, { task, expectedNextAt: NOON });

      expect(second).toMatchObject({ taskId: first.taskId, params: 2, claimCount: 1, tryCount: 0 });
      expect(second?.fence).toBeGreaterThan(first.fence);
      expect(await listTasks(store)).toHaveLength(1);
      await expectExactCounts(store);
    });

    it('makes none when the task of that key is delayed or held', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, CONTINUOUS);
      const [delayed, held] = [textBytes('delayed'), textBytes('held')];
      await addTask(store, queue, { key: delayed, delayMs: 1000 });
      await addTask(store, queue, { key: held, hold: 'operator' });

      for (const key of [delayed, held]) {
        expect(await claimContinuous(store, queue, { task: aNewTask({ key }) })).toBeNull();
      }
      expect((await getQueue(store, queue)).nextContinuousAt).toBeNull();
    });

    it('repeated with its token gives the same claim again while it is held', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { ...CONTINUOUS, intervalMs: 0 });
      const request = { token: 'call-1' };

      const first = await claimContinuous(store, queue, request);
      const second = await claimContinuous(store, queue, { ...request, task: aNewTask() });
      const byClaim = await store.attempts.claim(aClaim({ token: 'call-1' }), at(NOON));

      expect(second).toEqual(first);
      expect(byClaim).toEqual([first]);
      if (!first) throw new Error('One was expected');
      await store.attempts.settle('default', [aSettlement(first)], at(NOON));
      const expectedNextAt = NOON;
      expect(await claimContinuous(store, queue, { ...request, expectedNextAt })).toBeNull();
      expect(
        await claimContinuous(store, queue, { token: 'call-2', expectedNextAt }),
      ).not.toBeNull();
    });
  });
}
