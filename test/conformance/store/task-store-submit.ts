import { describe, expect, it } from 'vitest';
import {
  aClaim,
  after,
  aNewTask,
  anId,
  at,
  minutes,
  NOON,
  textBytes,
} from '../../support/builders.ts';
import {
  addQueue,
  addTask,
  addTasks,
  countsOf,
  expectExactCounts,
  getTask,
  listTasks,
  someCounts,
  stateOf,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function submitConformance(subject: StoreUnderTest): void {
  describe('tasks.submit', () => {
    it('adds a task as it was given, with everything else at its beginning', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { name: 'work' });
      const task = aNewTask({
        key: textBytes('a key'),
        params: { url: 'x' },
        priority: 2.5,
        labels: { team: 'red' },
      });

      const answer = await store.tasks.submit(
        { queueId: queue.id, tasks: [task], onConflict: 'refuse' },
        at(NOON),
      );

      expect(answer).toEqual({
        status: 'submitted',
        tasks: [{ id: task.id, outcome: 'created' }],
      });
      expect(await store.tasks.find('default', task.id, at(NOON))).toEqual({
        id: task.id,
        namespace: 'default',
        queueId: queue.id,
        queue: 'work',
        state: 'queued',
        key: 'a key',
        params: { url: 'x' },
        result: null,
        error: null,
        code: null,
        priority: 2.5,
        notBefore: null,
        labels: { team: 'red' },
        hold: null,
        external: false,
        attempt: null,
        fence: 0,
        claimCount: 0,
        tryCount: 0,
        lossCount: 0,
        roundCount: 0,
        lastOutcome: null,
        cancelRequestedAt: null,
        createdAt: NOON,
        updatedAt: NOON,
        endedAt: null,
      });
    });

    it('adds many in the order given', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const tasks = Array.from({ length: 500 }, (_, index) => aNewTask({ params: index }));

      const ids = await addTasks(store, queue, tasks);

      expect(ids).toEqual(tasks.map(({ id }) => id));
      const listed = await listTasks(store);
      expect(listed.map(({ params }) => params)).toEqual(tasks.map((_, index) => index));
      expect(await someCounts(store, queue)).toEqual({ queued: 500 });
    });

    it('takes an empty call', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const submission = { queueId: queue.id, tasks: [], onConflict: 'refuse' } as const;

      expect(await store.tasks.submit(submission, at(NOON))).toEqual({
        status: 'submitted',
        tasks: [],
      });
    });

    it('answers `missing-queue` for a queue that is not there', async () => {
      await using store = await subject.open();

      const submission = { queueId: anId(), tasks: [aNewTask()], onConflict: 'replace' } as const;

      expect(await store.tasks.submit(submission, at(NOON))).toEqual({ status: 'missing-queue' });
      expect(await store.namespaces.list()).toEqual([]);
    });

    it('takes tasks into a paused queue', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { paused: true });

      await addTask(store, queue);

      expect(await someCounts(store, queue)).toEqual({ queued: 1 });
    });

    it('holds a task as it was told to', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const id = await addTask(store, queue, { hold: 'operator' });

      expect(await getTask(store, id)).toMatchObject({ state: 'held', hold: 'operator' });
      expect(await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
    });

    it('loses no task and adds none twice when many submit at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const ids = await Promise.all(
        Array.from({ length: 40 }, () => addTasks(store, queue, [aNewTask(), aNewTask()])),
      );

      const listed = await listTasks(store);
      expect(listed.map(({ id }) => id)).toEqual(ids.flat().toSorted());
      expect((await countsOf(store, queue.id)).queued).toBe(80);
    });
  });

  describe('a delayed task', () => {
    it('waits until its notBefore, which is then in time', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const later = after(NOON, minutes(5));
      const id = await addTask(store, queue, { notBefore: later });
      const claim = aClaim({ queueId: queue.id });

      expect(await getTask(store, id)).toMatchObject({ state: 'delayed', notBefore: later });
      expect(await store.attempts.claim(claim, at(after(later, -1)))).toEqual([]);
      expect(await store.attempts.claim(claim, at(later))).toMatchObject([{ taskId: id }]);
    });

    it('counts delayMs from the now of the step, whatever notBefore says', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const id = await addTask(store, queue, { delayMs: 1500, notBefore: new Date(0) });

      expect(await getTask(store, id)).toMatchObject({
        state: 'delayed',
        notBefore: after(NOON, 1500),
      });
    });

    it('is queued at once when its notBefore has passed or its delay is 0', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const ids = [
        await addTask(store, queue, { notBefore: NOON }),
        await addTask(store, queue, { delayMs: 0 }),
      ];

      for (const id of ids) {
        expect(await getTask(store, id)).toMatchObject({ state: 'queued', notBefore: NOON });
      }
    });

    it('lets a task of lower priority go first while it waits, and takes its place when due', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const later = after(NOON, 1000);
      const high = await addTask(store, queue, { priority: 10, notBefore: later });
      const [low, last] = await addTasks(store, queue, [aNewTask(), aNewTask()]);
      const claim = aClaim({ queueId: queue.id });

      expect(await store.attempts.claim(claim, at(NOON))).toMatchObject([{ taskId: low }]);
      expect(await store.attempts.claim(claim, at(later))).toMatchObject([{ taskId: high }]);
      expect(await store.attempts.claim(claim, at(later))).toMatchObject([{ taskId: last }]);
      await expectExactCounts(store, later);
    });

    it('keeps its notBefore to look at when it is due', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const later = after(NOON, 1000);
      const id = await addTask(store, queue, { notBefore: later });

      expect(await stateOf(store, id, later)).toBe('queued');
      expect(await getTask(store, id, later)).toMatchObject({ notBefore: later, updatedAt: later });
    });
  });

  describe('tasks.find and tasks.peek', () => {
    it('find nothing under an unknown id or in another namespace', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store));
      await addQueue(store, { namespace: 'other' });

      expect(await store.tasks.find('default', anId(), at(NOON))).toBeNull();
      expect(await store.tasks.find('other', id, at(NOON))).toBeNull();
      expect(await store.tasks.peek('other', [id])).toEqual([null]);
    });

    it('peek gives one answer per id, in order, and deals with nothing that is due', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const delayed = await addTask(store, queue, { delayMs: 1000 });
      const other = await addTask(store, queue);

      const peeked = await store.tasks.peek('default', [other, anId(), delayed, other]);

      expect(peeked.map((task) => task && [task.id, task.state])).toEqual([
        [other, 'queued'],
        null,
        [delayed, 'delayed'],
        [other, 'queued'],
      ]);
    });

    it('findByKey finds a task by its bytes in its queue only', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const other = await addQueue(store);
      const id = await addTask(store, queue, { key: textBytes('k') });

      expect((await store.tasks.findByKey(queue.id, textBytes('k'), at(NOON)))?.id).toBe(id);
      expect(await store.tasks.findByKey(queue.id, textBytes('K'), at(NOON))).toBeNull();
      expect(await store.tasks.findByKey(other.id, textBytes('k'), at(NOON))).toBeNull();
      expect(await store.tasks.findByKey(anId(), textBytes('k'), at(NOON))).toBeNull();
    });

    it('findByKey is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { key: textBytes('k'), delayMs: 1000 });

      const find = (now: Date) => store.tasks.findByKey(queue.id, textBytes('k'), at(now));

      expect((await find(NOON))?.state).toBe('delayed');
      expect((await find(after(NOON, 1000)))?.state).toBe('queued');
    });
  });
}
