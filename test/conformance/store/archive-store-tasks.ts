import { describe, expect, it } from 'vitest';
import type { ArchivedTask } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aKeyedTask,
  aNewTask,
  anId,
  aSettlement,
  at,
  bytes,
  goTo,
  minutes,
  NOON,
  seconds,
} from '../../support/builders.ts';
import { copyAll, copyQueues, listArchived, NOTHING_PUT, restored } from './archive-store-copy.ts';
import {
  addClaimed,
  addMany,
  addQueue,
  addTask,
  addTasks,
  expectExactCounts,
  getTask,
  listTasks,
  stateOf,
  submit,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, minutes(5));

export function archiveTasksConformance(subject: StoreUnderTest): void {
  describe('archive.putTasks', () => {
    it('makes tasks that are claimed in their order, under fences above those they came with', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from, { order: 'lifo' });
      const low = await addTask(from, queue, { priority: -1 });
      const tasks = [aNewTask({}, 'lifo'), aNewTask({}, 'lifo')];
      const [first, second] = await addTasks(from, queue, tasks);
      await copyQueues(from, to);
      const archived = (await listArchived(from, queue)).map((one) => restored(one, 1_000_000));
      const put = { namespace: 'default', queueId: queue.id, tasks: archived };
      expect(await to.archive.putTasks(put, at(NOON))).toEqual(['put', 'put', 'put']);

      const claims = await to.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      expect(claims.map(({ taskId }) => taskId)).toEqual([second, first, low]);
      expect(claims.map(({ fence }) => fence)).toEqual([1_000_001, 1_000_001, 1_000_001]);
      const stale = claims.map(({ taskId }) => aSettlement({ taskId, fence: 1 }));
      const answers = await to.attempts.settle('default', stale, at(NOON));
      expect(answers.map(({ status }) => status)).toEqual(['lost', 'lost', 'lost']);
      await expectExactCounts(to);
    });

    it('answers `key-taken` for a key that another task of the queue has, and keeps nothing of it', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from);
      const keyed = await addTasks(from, queue, [aKeyedTask('k'), aKeyedTask('l')]);
      await copyQueues(from, to);
      const [own] = await addTasks(to, queue, [aKeyedTask('k')]);

      expect(await copyAll(from, to)).toEqual({ ...NOTHING_PUT, put: 1, 'key-taken': 1 });

      expect((await listTasks(to)).map(({ id }) => id).toSorted()).toEqual(
        [keyed[1], own].toSorted(),
      );
      await expectExactCounts(to);
    });

    it('keeps many attempts of a task, a long rank and a long unique key as they were', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from, { order: 'key' });
      const key = new Uint8Array(3000).fill(7);
      const unique = { key: 'ü'.repeat(900), scope: 'forever' } as const;
      const claim = await addClaimed(from, queue, { key, rank: key, unique });
      await from.attempts.settle('default', [aSettlement(claim)], at(NOON));
      await copyQueues(from, to);
      const [archived] = await listArchived(from, queue);
      const [attempt] = archived?.attempts ?? [];
      if (!archived || !attempt) throw new Error('Nothing was archived.');
      const attempts = Array.from({ length: 30 }, (_, n) => ({
        ...{ ...attempt, fence: n + 1, data: { n, text: 'x'.repeat(20_000) } },
      }));
      const task = { ...archived, attempts, task: { ...archived.task, fence: 30 } };

      const put = { namespace: 'default', queueId: queue.id, tasks: [task] };
      expect(await to.archive.putTasks(put, at(NOON))).toEqual(['put']);

      expect(task).toMatchObject({ rank: key, uniqueKey: unique.key });
      expect(await listArchived(to, queue)).toEqual([task]);
    });

    it('makes keys and unique keys count for submissions', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from);
      const unique = { key: 'only one', scope: 'waiting' } as const;
      const [keyed, single] = await addTasks(from, queue, [aKeyedTask('k'), aNewTask({ unique })]);
      await copyAll(from, to);

      expect(await submit(to, queue, [aKeyedTask('k')], 'refuse')).toMatchObject({
        ...{ status: 'refused', id: keyed },
      });
      expect(await submit(to, queue, [aNewTask({ unique })], 'refuse')).toMatchObject({
        ...{ status: 'refused', id: single },
      });
    });

    it('makes keyed limits hold', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
      const queue = await addQueue(from, { limits });
      await addMany(from, queue, 6, ['a', 'b']);
      await copyAll(from, to);
      const claim = () => to.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));

      const claims = await claim();

      expect(claims.map(({ params }) => params)).toEqual([{ tenant: 'a' }, { tenant: 'b' }]);
      expect(await claim()).toEqual([]);
      await to.attempts.settle(
        'default',
        claims.map((one) => aSettlement(one)),
        at(NOON),
      );
      expect(await claim()).toHaveLength(2);
    });

    it('counts the claims of attempts towards rates', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const limits = [{ name: 'rate', by: 'tenant', max: 2, perMs: minutes(1) }];
      const queue = await addQueue(from, { limits });
      await addMany(from, queue, 5, ['a']);
      const claims = await from.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(NOON));
      expect(claims).toHaveLength(2);
      await from.attempts.settle(
        'default',
        claims.map((one) => aSettlement(one)),
        at(NOON),
      );
      await copyAll(from, to, after(NOON, seconds(30)));
      const claimAt = (now: Date) =>
        to.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(now));

      expect(await claimAt(after(NOON, seconds(59)))).toEqual([]);
      expect(await claimAt(after(NOON, seconds(60)))).toHaveLength(2);
    });

    it('readies delayed tasks when their instant comes', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from);
      const id = await addTask(from, queue, { notBefore: LATER });
      await copyAll(from, to);

      expect(await to.attempts.nextDue('default')).toEqual(LATER);
      expect(await stateOf(to, id, after(LATER, -1))).toBe('delayed');
      expect(await stateOf(to, id, LATER)).toBe('queued');
    });

    it('lets an external task run at once where another would be queued', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from);
      const id = await addTask(from, queue, { external: true, notBefore: LATER });
      await copyQueues(from, to);
      const tasks = (await listArchived(from, queue)).map(
        (one): ArchivedTask => ({
          ...one,
          task: { ...one.task, state: 'queued', notBefore: null },
        }),
      );

      await to.archive.putTasks({ namespace: 'default', queueId: queue.id, tasks }, at(NOON));

      expect(await getTask(to, id)).toMatchObject({
        ...{ state: 'running', fence: 1, claimCount: 1, attempt: { node: '', expiresAt: null } },
      });
      await expectExactCounts(to);
      const end = aSettlement({ taskId: id, fence: null }, { next: goTo('succeeded') });
      expect((await to.attempts.settle('default', [end], at(NOON)))[0]?.status).toBe('applied');
    });

    it('answers `missing-queue` for one that is unknown, hidden or of another namespace', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const put = (namespace: string, queueId: string) =>
        store.archive.putTasks({ namespace, queueId, tasks: [] }, at(NOON));

      expect(await put('default', anId())).toBe('missing-queue');
      expect(await put('other', queue.id)).toBe('missing-queue');
      expect(await put('default', queue.id)).toEqual([]);
      await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));
      expect(await put('default', queue.id)).toBe('missing-queue');
    });
  });

  describe('archive.putOutput', () => {
    it('keeps chunks once, with their instants, of tasks that are there', async () => {
      await using store = await subject.open();
      const { taskId, fence } = await addClaimed(store, await addQueue(store));
      const chunk = {
        number: 2,
        stream: 'stderr',
        offset: 9,
        at: LATER,
        bytes: bytes(0, 1),
      } as const;
      const put = { namespace: 'default', taskId, fence, chunks: [chunk] };

      expect(await store.archive.putOutput(put, at(NOON))).toBe('kept');
      const other = { ...put, chunks: [{ ...chunk, bytes: bytes(9) }] };
      expect(await store.archive.putOutput(other, at(NOON))).toBe('kept');
      const foreign = { ...put, namespace: 'other' };
      expect(await store.archive.putOutput(foreign, at(NOON))).toBe('missing');
      const unknown = { ...put, taskId: anId() };
      expect(await store.archive.putOutput(unknown, at(NOON))).toBe('missing');

      const read = { taskId, fence, after: 0, limitBytes: 100 };
      expect(await store.outputs.read(read)).toEqual([chunk]);
    });
  });
}
