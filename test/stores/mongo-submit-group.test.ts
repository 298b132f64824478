import { describe, expect, it } from 'vitest';
import type { NewTask, Store } from '../../src/core/store/index.ts';
import { addQueue } from '../conformance/store/store-reading.ts';
import { aNewTask, anId, textBytes } from '../support/builders.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const soon = { now: null };

function submitOne(store: Store, queueId: string, task: NewTask) {
  return store.tasks.submit({ queueId, tasks: [task], onConflict: 'refuse' }, soon);
}

describe('single submissions of many callers', () => {
  it('are each answered for themselves, and all are there', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const tasks = Array.from({ length: 60 }, (_, number) => aNewTask({ params: { number } }));

    const answers = await Promise.all(tasks.map((task) => submitOne(store, queue.id, task)));

    expect(answers).toEqual(
      tasks.map(({ id }) => ({ status: 'submitted', tasks: [{ id, outcome: 'created' }] })),
    );
    const found = await store.tasks.peek(
      'default',
      tasks.map(({ id }) => id),
    );
    expect(found.map((task) => task?.params)).toEqual(tasks.map(({ params }) => params));
    const [counted] = await store.queues.counts('default', soon);
    expect(counted?.counts.queued).toBe(60);
  });

  it('go on one after the other', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    for (let number = 0; number < 5; number++) {
      expect(await submitOne(store, queue.id, aNewTask())).toMatchObject({ status: 'submitted' });
    }
  });

  it('learn that the queue is missing, and meet others by their keys', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const keyed = () => aNewTask({ key: textBytes('k') });

    const answers = await Promise.all([
      submitOne(store, anId(), aNewTask()),
      submitOne(store, queue.id, keyed()),
      submitOne(store, queue.id, keyed()),
    ]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      'missing-queue',
      'refused',
      'submitted',
    ]);
  });

  it('are refused with what to do when the store is closed', async () => {
    const store = await database.openEmpty();
    const queue = await addQueue(store);
    await store.close();

    await expect(submitOne(store, queue.id, aNewTask())).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
    });
  });
});
