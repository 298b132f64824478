import { describe, expect, it } from 'vitest';
import { addClaimed, addQueue, getQueue } from '../../../test/conformance/store/store-reading.ts';
import {
  aNewTask,
  at,
  after as dateAfter,
  hours,
  minutes,
  NOON,
} from '../../../test/support/builders.ts';
import { createModelStore } from '../../../test/support/model-store/model-store.ts';
import type { ArchivedTask, NewQueue, NewTask } from '../store/index.ts';
import { FENCE_GAP, toRestored } from './restored-task.ts';

/** A running task as its store has it. */
async function runningTask(task: Partial<NewTask> = {}, settings: Partial<NewQueue> = {}) {
  const store = createModelStore();
  const made = await addQueue(store, settings);
  const { taskId, fence } = await addClaimed(store, made, task);
  const item = { taskId, fence, leaseMs: minutes(1), data: { part: 1 } };
  await store.attempts.renew('default', [item], at(dateAfter(NOON, 7)));
  const query = { namespace: 'default', queueId: made.id, after: null, limit: 1, limitBytes: 1 };
  const read = async (): Promise<ArchivedTask> => {
    const [archived] = (await store.archive.listTasks(query)).items;
    if (!archived) throw new Error('There is no task.');
    return archived;
  };
  return { store, taskId, read, queue: await getQueue(store, made) };
}

describe('a task that is put into another store', () => {
  it('waits again if it was live, with its attempt orphaned when it last gave word, and uncounted', async () => {
    const { read, queue } = await runningTask({ params: { a: 1 } });
    const archived = await read();

    const { task, attempts } = toRestored(archived, queue, NOON);

    const { tryCount, lossCount, claimCount } = archived.task;
    expect(task).toMatchObject({
      ...{ state: 'queued', attempt: null, result: null, lastOutcome: 'orphaned' },
      ...{ tryCount, lossCount, claimCount, fence: 1 + FENCE_GAP, params: { a: 1 } },
    });
    expect(attempts).toMatchObject([
      {
        fence: 1,
        node: 'node-1',
        outcome: 'orphaned',
        endedAt: dateAfter(NOON, 7),
        data: { part: 1 },
      },
    ]);
  });

  it('waits where its time and its queue say', async () => {
    const { read, queue } = await runningTask();
    const archived = await read();
    const later = { ...archived, task: { ...archived.task, notBefore: dateAfter(NOON, hours(1)) } };

    expect(toRestored(later, queue, NOON).task.state).toBe('delayed');
    const gated = { ...queue, admission: 'gated' } as const;
    expect(toRestored(archived, gated, NOON).task).toMatchObject({
      ...{ state: 'held', hold: 'admission' },
    });
  });

  it('has terminated if it was asked to cancel', async () => {
    const { store, taskId, read, queue } = await runningTask();
    const move = { namespace: 'default', ids: [taskId], move: 'cancel' } as const;
    await store.tasks.move(move, at(dateAfter(NOON, 9)));

    const { task } = toRestored(await read(), queue, NOON);

    expect(task).toMatchObject({ state: 'terminated', endedAt: dateAfter(NOON, 9) });
  });

  it('stays what it was, under a higher fence, if it was not live', async () => {
    const store = createModelStore();
    const made = await addQueue(store);
    const tasks = [aNewTask({ hold: 'operator' })];
    await store.tasks.submit({ queueId: made.id, tasks, onConflict: 'refuse' }, at(NOON));
    const query = { namespace: 'default', queueId: made.id, after: null, limit: 1, limitBytes: 1 };
    const [archived] = (await store.archive.listTasks(query)).items;
    if (!archived) throw new Error('There is no task.');

    const restored = toRestored(archived, await getQueue(store, made), NOON);

    expect(restored).toEqual({ ...archived, task: { ...archived.task, fence: FENCE_GAP } });
  });
});
