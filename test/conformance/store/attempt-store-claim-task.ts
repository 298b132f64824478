import { describe, expect, it } from 'vitest';
import type { ClaimTaskStep, Store } from '../../../src/core/store/index.ts';
import {
  aBeat,
  aClaim,
  after,
  aNewTask,
  anId,
  aSettlement,
  aTaskClaim,
  at,
  NOON,
  seconds,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  expectExactCounts,
  getTask,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

async function tryClaim(
  store: Store,
  id: string,
  request: Partial<ClaimTaskStep> = {},
  now = NOON,
) {
  return (await store.attempts.claimTask(aTaskClaim(id, request), at(now))).status;
}

export function claimTaskConformance(subject: StoreUnderTest): void {
  describe('attempts.claimTask', () => {
    it('gives one waiting task, whatever its place', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work', leaseMs: 5000 });
      const [, , last = ''] = await addTasks(store, queue, [aNewTask(), aNewTask(), aNewTask()]);

      const answer = await store.attempts.claimTask(aTaskClaim(last, { start: false }), at(NOON));

      expect(answer).toEqual({
        status: 'claimed',
        claim: {
          taskId: last,
          queueId: queue.id,
          queue: 'work',
          key: null,
          params: {},
          priority: 0,
          labels: {},
          fence: 1,
          claimCount: 1,
          tryCount: 0,
          roundCount: 0,
          claimedAt: NOON,
          expiresAt: after(NOON, 5000),
        },
      });
      expect(await getTask(store, last)).toMatchObject({
        state: 'claimed',
        attempt: { node: 'node-1' },
      });
      await expectExactCounts(store);
    });

    it('gives it to one of many who ask at once', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store));

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => tryClaim(store, id, { node: `node-${index}` })),
      );

      expect(answers.toSorted()).toEqual(['claimed', ...Array(7).fill('not-waiting')]);
    });

    it('answers `missing` for a task that is unknown, deleted or of another namespace', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store));
      await addQueue(store, { namespace: 'theirs' });

      expect(await tryClaim(store, anId())).toBe('missing');
      expect(await tryClaim(store, id, { namespace: 'theirs' })).toBe('missing');
      await store.tasks.delete({ namespace: 'default', ids: [id] }, at(NOON));
      expect(await tryClaim(store, id)).toBe('missing');
    });

    it('answers `not-waiting` for a task that is live or has ended, by force too', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store));

      expect(await tryClaim(store, claim.taskId, { force: true })).toBe('not-waiting');
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      expect(await tryClaim(store, claim.taskId, { force: true })).toBe('not-waiting');
    });

    it('refuses a task that is delayed, held, paused or beyond a limit, but for force', async () => {
      await using store = await subject.open();
      const limit = { name: 'tenant', by: 'tenant', max: 0 };
      const open = await addQueue(store);
      const cases = [
        await addTask(store, open, { delayMs: 1000 }),
        await addTask(store, open, { hold: 'operator' }),
        await addTask(store, await addQueue(store, { admission: 'gated' })),
        await addTask(store, await addQueue(store, { paused: true })),
        await addTask(store, await addQueue(store, { maxRunning: 0 })),
        await addTask(store, await addQueue(store, { maxRunningPerNode: 0 })),
        await addTask(store, await addQueue(store, { limits: [{ ...limit, perMs: null }] })),
        await addTask(store, await addQueue(store, { limits: [{ ...limit, perMs: 1000 }] })),
      ];

      for (const id of cases) {
        const before = await getTask(store, id);
        expect(await tryClaim(store, id)).toBe('refused');
        expect(await getTask(store, id)).toEqual(before);
        expect(await tryClaim(store, id, { force: true })).toBe('claimed');
        expect(await getTask(store, id)).toMatchObject({ state: 'running', hold: null });
      }
      await expectExactCounts(store);
    });

    it('refuses, by force too, a node that the queue does not want or that shall not work', async () => {
      await using store = await subject.open();
      const closed = await addTask(store, await addQueue(store, { nodesNot: ['node-1'] }));
      const id = await addTask(store, await addQueue(store));
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { wish: 'drain' }, at(NOON));

      expect(await tryClaim(store, closed, { force: true })).toBe('refused');
      expect(await tryClaim(store, id, { force: true })).toBe('refused');
    });

    it('refuses a node beyond its limit, but for force', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { maxRunning: 0 }, at(NOON));

      expect(await tryClaim(store, id)).toBe('refused');
      expect(await tryClaim(store, id, { force: true })).toBe('claimed');
    });

    it('gives where the limits leave room for one', async () => {
      await using store = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(store, { maxRunning: 1, maxRunningPerNode: 1, limits });
      const [first = '', second = ''] = await addTasks(store, queue, [aNewTask(), aNewTask()]);

      expect(await tryClaim(store, first)).toBe('claimed');
      expect(await tryClaim(store, second)).toBe('refused');
    });

    it('counts a forced claim against the limits of others', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { maxRunning: 1 });
      const [first = '', second = ''] = await addTasks(store, queue, [
        aNewTask(),
        aNewTask(),
        aNewTask(),
      ]);

      await tryClaim(store, first, { force: true });
      await tryClaim(store, second, { force: true });

      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
    });

    it('with assignedVersion gives only while the node is at it, and moves it on', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const [first = '', second = ''] = await addTasks(store, queue, [aNewTask(), aNewTask()]);
      expect(await tryClaim(store, first, { assignedVersion: 0 })).toBe('outrun');
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      expect(await tryClaim(store, first, { assignedVersion: 1 })).toBe('outrun');
      expect(await tryClaim(store, first, { assignedVersion: 0 })).toBe('claimed');
      expect(await store.nodes.find('default', 'node-1')).toMatchObject({
        assignedVersion: 1,
        assignedAt: NOON,
        runningCount: 1,
      });
      expect(await tryClaim(store, second, { assignedVersion: 0 })).toBe('outrun');
      expect(await tryClaim(store, second)).toBe('claimed');
      expect((await store.nodes.find('default', 'node-1'))?.assignedVersion).toBe(1);
    });

    it('says what stands in the way in this order: missing, not-waiting, outrun, refused', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const { taskId } = await addClaimed(store, queue);
      const delayed = await addTask(store, queue, { delayMs: 1000 });
      const outrun = { assignedVersion: 7 };

      expect(await tryClaim(store, anId(), outrun)).toBe('missing');
      expect(await tryClaim(store, taskId, outrun)).toBe('not-waiting');
      expect(await tryClaim(store, delayed, outrun)).toBe('outrun');
      expect(await tryClaim(store, delayed)).toBe('refused');
    });

    it('leaves the version alone when the claim is refused', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store, { paused: true }));
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      expect(await tryClaim(store, id, { assignedVersion: 0 })).toBe('refused');
      expect(await store.nodes.find('default', 'node-1')).toMatchObject({
        assignedVersion: 0,
        assignedAt: null,
      });
    });

    it('lets one of many dispatchers assign at a version', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = await addTasks(
        store,
        queue,
        Array.from({ length: 6 }, () => aNewTask()),
      );
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      const answers = await Promise.all(
        ids.map((id) => tryClaim(store, id, { assignedVersion: 0 })),
      );

      expect(answers.toSorted()).toEqual(['claimed', ...Array(5).fill('outrun')]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(1) });
      const { taskId } = await addClaimed(store, queue);
      const delayed = await addTask(store, queue, { delayMs: seconds(1) });
      const later = after(NOON, seconds(1));

      expect(await tryClaim(store, taskId, {}, later)).toBe('claimed');
      expect(await tryClaim(store, delayed, {}, later)).toBe('claimed');
    });
  });
}
