import { describe, expect, it } from 'vitest';
import type { Store, TaskChange } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewTask,
  anId,
  aSettlement,
  at,
  minutes,
  NOON,
  seconds,
  textBytes,
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

const LATER = after(NOON, seconds(1));

function edit(store: Store, ids: readonly string[], change: TaskChange) {
  return store.tasks.edit({ namespace: 'default', ids, change }, at(LATER));
}

export function editConformance(subject: StoreUnderTest): void {
  describe('tasks.edit', () => {
    it('changes what is given and keeps the rest', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store), {
        key: textBytes('k'),
        params: { a: 1 },
        priority: 1,
        notBefore: after(NOON, minutes(5)),
        labels: { team: 'red', n: '1' },
      });
      const before = await getTask(store, id);

      expect(await edit(store, [id], { params: [2] })).toEqual([
        { ...before, params: [2], updatedAt: LATER },
      ]);
      expect(await edit(store, [id], { labels: { team: 'blue' } })).toMatchObject([
        { params: [2], labels: { team: 'blue' } },
      ]);
      expect((await getTask(store, id, LATER)).labels).toEqual({ team: 'blue' });
      expect(await edit(store, [id], { params: null })).toMatchObject([{ params: null }]);
    });

    it('sets a priority and adds to it, in that order', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = await addTasks(store, queue, [
        aNewTask({ priority: 1 }),
        aNewTask({ priority: 2 }),
      ]);
      const priorities = async (change: TaskChange) =>
        (await edit(store, ids, change)).map((task) => task?.priority);

      expect(await priorities({ priorityBy: 10 })).toEqual([11, 12]);
      expect(await priorities({ priorityBy: -0.5 })).toEqual([10.5, 11.5]);
      expect(await priorities({ priority: 5, priorityBy: 1 })).toEqual([6, 6]);
      expect(await priorities({ priority: 0 })).toEqual([0, 0]);
    });

    it('moves a waiting task in the queue by its priority', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const [a = '', b = '', c = '', d = ''] = await addTasks(
        store,
        queue,
        Array.from({ length: 4 }, () => aNewTask()),
      );

      await edit(store, [d], { priority: 30 });
      await edit(store, [c, b], { priority: 10 });
      await edit(store, [c], { priorityBy: 10 });

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 9 }), at(LATER));
      expect(claims.map(({ taskId }) => taskId)).toEqual([d, c, b, a]);
    });

    it('answers once per id, in order, null for what is not there', async () => {
      await using store = await subject.open();
      const mine = await addTask(store, await addQueue(store));
      const theirs = await addTask(store, await addQueue(store, { namespace: 'theirs' }));

      const answers = await edit(store, [theirs, mine, anId(), mine], { priorityBy: 1 });

      expect(answers.map((task) => task && [task.id, task.priority])).toEqual([
        null,
        [mine, 1],
        null,
        [mine, 2],
      ]);
    });

    it('delays a queued task by a notBefore ahead, and readies it by one that has passed', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store));
      const ahead = after(NOON, minutes(1));

      expect(await edit(store, [id], { notBefore: ahead })).toMatchObject([
        { state: 'delayed', notBefore: ahead },
      ]);
      await expectExactCounts(store, LATER);
      expect(await edit(store, [id], { notBefore: LATER })).toMatchObject([
        { state: 'queued', notBefore: LATER },
      ]);
      await edit(store, [id], { notBefore: ahead });
      expect(await edit(store, [id], { notBefore: null })).toMatchObject([
        { state: 'queued', notBefore: null },
      ]);
      await expectExactCounts(store, LATER);
    });

    it('leaves a held, live or ended task what it is, and keeps its notBefore', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ended = await addClaimed(store, queue);
      await store.attempts.settle('default', [aSettlement(ended)], at(NOON));
      const live = await addClaimed(store, queue);
      const held = await addTask(store, queue, { hold: 'operator' });
      const ahead = after(NOON, minutes(1));

      const edited = await edit(store, [ended.taskId, live.taskId, held], { notBefore: ahead });

      expect(edited).toMatchObject([
        { state: 'succeeded', notBefore: ahead },
        { state: 'running', notBefore: ahead },
        { state: 'held', notBefore: ahead },
      ]);
      await expectExactCounts(store, LATER);
    });

    it('in a gated queue delays an admitted task, which then needs a new admission', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const id = await addTask(store, queue);
      const waiting = await addTask(store, queue);
      await store.queues.admit({ queueId: queue.id, limit: 1, lease: null }, at(NOON));
      const ahead = after(NOON, minutes(1));

      for (const notBefore of [null, NOON, LATER]) {
        expect(await edit(store, [id], { notBefore })).toMatchObject([{ state: 'queued' }]);
      }
      expect(await edit(store, [id, waiting], { notBefore: ahead })).toMatchObject([
        { state: 'delayed' },
        { state: 'delayed' },
      ]);
      expect(await edit(store, [id, waiting], { notBefore: null })).toMatchObject([
        { state: 'held', hold: 'admission' },
        { state: 'held', hold: 'admission' },
      ]);
    });

    it('changes a live task without touching its lease', async () => {
      await using store = await subject.open();
      const claim = await addClaimed(store, await addQueue(store), { params: 1 });

      const edited = await edit(store, [claim.taskId], { params: 2, priority: 4 });

      expect(edited).toMatchObject([
        {
          state: 'running',
          params: 2,
          priority: 4,
          fence: claim.fence,
          attempt: { fence: claim.fence },
        },
      ]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store), { delayMs: seconds(1) });

      expect(await edit(store, [id], { priority: 1 })).toMatchObject([{ state: 'queued' }]);
    });
  });

  describe('tasks.position', () => {
    it('counts the queued tasks that come before, up to the limit', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const [first = '', second = '', urgent = '', third = ''] = await addTasks(store, queue, [
        aNewTask(),
        aNewTask(),
        aNewTask({ priority: 1 }),
        aNewTask(),
      ]);
      await addTask(store, queue, { priority: 9, delayMs: 1000 });
      await addTask(store, await addQueue(store), { priority: 9 });
      const ahead = async (id: string, limit = 100) =>
        (await store.tasks.position(id, limit, at(NOON)))?.ahead;

      expect(await ahead(urgent)).toBe(0);
      expect(await ahead(first)).toBe(1);
      expect(await ahead(second)).toBe(2);
      expect(await ahead(third)).toBe(3);
      expect(await ahead(third, 2)).toBe(2);
    });

    it('is null for a task that is unknown or not queued', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const { taskId } = await addClaimed(store, queue);
      const held = await addTask(store, queue, { hold: 'operator' });
      const delayed = await addTask(store, queue, { delayMs: 1000 });

      for (const id of [taskId, held, delayed, anId()]) {
        expect(await store.tasks.position(id, 9, at(NOON))).toBeNull();
      }
      expect(await store.tasks.position(delayed, 9, at(LATER))).toEqual({
        ahead: 0,
        fullLimits: [],
      });
    });

    it('names the keyed limits that are used up for the task', async () => {
      await using store = await subject.open();
      const limits = [
        { name: 'tenant', by: 'tenant', max: 1, perMs: null },
        { name: 'rate', by: 'host', max: 1, perMs: seconds(1) },
      ];
      const queue = await addQueue(store, { limits });
      await addClaimed(store, queue, { params: { tenant: 'a', host: 'x' } });
      const full = async ([tenant, host]: [string, string], now: Date) => {
        const id = await addTask(store, queue, { params: { tenant, host } });
        return (await store.tasks.position(id, 9, at(now)))?.fullLimits;
      };

      expect(await full(['a', 'x'], NOON)).toEqual(['tenant', 'rate']);
      expect(await full(['a', 'y'], NOON)).toEqual(['tenant']);
      expect(await full(['b', 'x'], NOON)).toEqual(['rate']);
      expect(await full(['b', 'y'], NOON)).toEqual([]);
      expect(await full(['a', 'x'], LATER)).toEqual(['tenant']);
    });
  });
}
