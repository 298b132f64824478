import { describe, expect, it } from 'vitest';
import {
  aBeat,
  aClaim,
  after,
  aNewTask,
  anId,
  aSettlement,
  aTaskClaim,
  at,
  minutes,
  NOON,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  aQuery,
  claimOne,
  expectExactCounts,
  listAttempts,
  listTasks,
  someCounts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function queueDeletionConformance(subject: StoreUnderTest): void {
  describe('queues.delete', () => {
    it('answers `missing` for a queue that is not there, and the second time', async () => {
      await using store = await subject.open();
      const { id } = await addQueue(store);

      expect(await store.queues.delete({ id: anId(), tasks: 'delete' }, at(NOON))).toEqual({
        status: 'missing',
      });
      expect(await store.queues.delete({ id, tasks: 'refuse' }, at(NOON))).toEqual({
        status: 'deleted',
        tasks: 0,
      });
      expect(await store.queues.delete({ id, tasks: 'keep' }, at(NOON))).toEqual({
        status: 'missing',
      });
    });

    it('leaves the name free at once, for a queue that knows nothing of the old one', async () => {
      await using store = await subject.open();
      for (const tasks of ['delete', 'keep'] as const) {
        const old = await addQueue(store, { name: 'work' });
        await addTask(store, old, { key: textBytes('k') });
        await store.queues.delete({ id: old.id, tasks }, at(NOON));

        const fresh = await addQueue(store, { name: 'work' });

        expect(await someCounts(store, fresh)).toEqual({});
        expect(await store.tasks.findByKey(fresh.id, textBytes('k'), at(NOON))).toBeNull();
        await store.queues.delete({ id: fresh.id, tasks: 'refuse' }, at(NOON));
      }
    });

    it('with `refuse` answers the number of tasks, ended ones too, and changes nothing', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      await addTask(store, queue);

      const answer = await store.queues.delete({ id: queue.id, tasks: 'refuse' }, at(NOON));

      expect(answer).toEqual({ status: 'refused', tasks: 2 });
      expect(await store.queues.find('default', queue.name)).not.toBeNull();
      expect(await someCounts(store, queue)).toEqual({ queued: 1, succeeded: 1 });
    });

    it('takes no more tasks, whatever became of the old ones', async () => {
      await using store = await subject.open();
      for (const tasks of ['delete', 'keep'] as const) {
        const queue = await addQueue(store);
        await addTask(store, queue);
        await store.queues.delete({ id: queue.id, tasks }, at(NOON));

        const submission = { queueId: queue.id, tasks: [aNewTask()], onConflict: 'skip' } as const;
        expect(await store.tasks.submit(submission, at(NOON))).toEqual({ status: 'missing-queue' });
        const claim = aClaim({ queueId: queue.id });
        expect(await store.attempts.claim(claim, at(NOON))).toEqual([]);
        const page = await store.queues.list('default', { after: null, limit: 9 });
        expect(page.items).toEqual([]);
        expect(await store.queues.heads('default', at(NOON))).toEqual([]);
      }
    });
  });

  describe('queues.delete with `delete`', () => {
    it('hides the tasks in the same step, with their attempts and output', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue, { key: textBytes('k') });
      const chunk = { number: 1, stream: 'stdout', offset: 0, bytes: textBytes('hello') } as const;
      const { taskId, fence } = claim;
      const append = { namespace: 'default', taskId, fence, chunks: [chunk] };
      await store.outputs.append(append, at(NOON));
      await addTask(store, queue, { delayMs: 1000 });

      expect(await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON))).toEqual({
        status: 'deleted',
        tasks: 2,
      });

      expect(await stateOf(store, taskId)).toBeNull();
      expect(await store.tasks.findByKey(queue.id, textBytes('k'), at(NOON))).toBeNull();
      expect(await listTasks(store)).toEqual([]);
      expect(await listTasks(store, { queueIds: [queue.id] })).toEqual([]);
      expect(await listAttempts(store, taskId)).toEqual([]);
      const byNode = { node: 'node-1', live: true, after: null, limit: 9 };
      expect((await store.attempts.listByNode('default', byNode, at(NOON))).items).toEqual([]);
      expect(await store.outputs.read({ taskId, fence, after: 0, limitBytes: 99 })).toEqual([]);
      expect(await store.outputs.tail({ taskId, fence, limitBytes: 99 })).toEqual([]);
      expect(await store.tasks.position(taskId, 9, at(NOON))).toBeNull();
    });

    it('takes the lease from live attempts', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const { taskId, fence } = await addClaimed(store, queue);

      await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));

      const lost = { taskId, fence, status: 'lost' };
      const ref = { taskId, fence };
      const held = { ...lost, expiresAt: null };
      expect(await store.attempts.start('default', [ref], at(NOON))).toEqual([held]);
      const renewal = [{ ...ref, leaseMs: 1000 }];
      expect(await store.attempts.renew('default', renewal, at(NOON))).toEqual([held]);
      expect(await store.attempts.settle('default', [aSettlement(ref)], at(NOON))).toEqual([
        { ...lost, state: null },
      ]);
      const append = { namespace: 'default', ...ref, chunks: [] };
      expect(await store.outputs.append(append, at(NOON))).toBe('lost');
      expect(await store.attempts.nextDue('default')).toBeNull();
    });

    it('gives nodes back the room its live attempts took', async () => {
      await using store = await subject.open();
      const doomed = await addQueue(store);
      const other = await addQueue(store);
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { maxRunning: 1 }, at(NOON));
      await addClaimed(store, doomed);
      await addTask(store, other);

      await store.queues.delete({ id: doomed.id, tasks: 'delete' }, at(NOON));

      expect((await store.nodes.find('default', 'node-1'))?.runningCount).toBe(0);
      expect((await claimOne(store, other)).queueId).toBe(other.id);
    });

    it('leaves the rows to purge, which takes at most `limit` of them', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const kept = await addTask(store, await addQueue(store));
      await addTasks(
        store,
        queue,
        Array.from({ length: 5 }, () => aNewTask()),
      );
      expect(await store.queues.purge({ now: NOON, limit: 100 })).toBe(0);

      await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));

      expect(await store.queues.purge({ now: NOON, limit: 2 })).toBe(2);
      expect(await store.queues.purge({ now: NOON, limit: 2 })).toBe(2);
      expect(await store.queues.purge({ now: NOON, limit: 2 })).toBe(1);
      expect(await store.queues.purge({ now: NOON, limit: 2 })).toBe(0);
      expect(await stateOf(store, kept)).toBe('queued');
    });
  });

  describe('queues.delete with `keep`', () => {
    it('leaves the tasks readable under the old name', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'old' });
      const id = await addTask(store, queue, { key: textBytes('k') });

      expect(await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON))).toEqual({
        status: 'deleted',
        tasks: 1,
      });

      const kept = await store.tasks.find('default', id, at(NOON));
      expect(kept).toMatchObject({ id, queue: 'old', queueId: queue.id, state: 'queued' });
      expect(await store.tasks.findByKey(queue.id, textBytes('k'), at(NOON))).toEqual(kept);
      expect(await listTasks(store)).toEqual([kept]);
      expect(await listTasks(store, { queueIds: [queue.id] })).toEqual([kept]);
      expect(await store.queues.purge({ now: NOON, limit: 9 })).toBe(0);
    });

    it('lets nobody claim them, by force neither', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));

      const answer = await store.attempts.claimTask(aTaskClaim(id, { force: true }), at(NOON));

      expect(answer).toEqual({ status: 'refused' });
      expect(await store.tasks.position(id, 9, at(NOON))).toBeNull();
    });

    it('lets live attempts go on and end', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));

      const [renewed] = await store.attempts.renew(
        'default',
        [{ ...claim, leaseMs: 60_000 }],
        at(NOON),
      );
      const settled = await store.attempts.settle('default', [aSettlement(claim)], at(NOON));

      expect(renewed?.status).toBe('held');
      expect(settled).toMatchObject([{ status: 'applied', state: 'succeeded' }]);
    });

    it('loses its live attempts by the rules it had', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { onLost: 'park', leaseMs: minutes(1) });
      const { taskId } = await addClaimed(store, queue);
      await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));

      expect(await store.attempts.nextDue('default')).toEqual(after(NOON, minutes(1)));
      expect(await stateOf(store, taskId, after(NOON, minutes(1)))).toBe('orphaned');
    });

    it('lets operators move, edit and delete what it left', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue);
      await store.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));
      const some = { namespace: 'default', ids: [id] };

      const [moved] = await store.tasks.move({ ...some, move: 'cancel' }, at(NOON));
      const [edited] = await store.tasks.edit({ ...some, change: { priority: 4 } }, at(NOON));

      expect(moved).toEqual({ id, status: 'moved', state: 'cancelled' });
      expect(edited?.priority).toBe(4);
      expect(await store.tasks.delete(some, at(NOON))).toBe(1);
      expect((await store.tasks.list('default', aQuery(), at(NOON))).items).toEqual([]);
      await expectExactCounts(store);
    });
  });
}
