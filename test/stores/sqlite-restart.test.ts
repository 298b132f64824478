import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Store } from '../../src/core/store/index.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  expectExactCounts,
  listAttempts,
  someCounts,
  stateOf,
} from '../conformance/store/store-reading.ts';
import { aBeat, aClaim, after, aNewTask, at, minutes, NOON, seconds } from '../support/builders.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

/** What `before` did is what `afterwards` finds when the file is opened again. */
async function acrossRestart<Before>(
  before: (store: Store) => Promise<Before>,
  afterwards: (store: Store, known: Before) => Promise<void>,
): Promise<void> {
  const file = folder.newFile();
  const first = await openSqliteStore({ file, clock: systemClock });
  const known = await before(first);
  await first.close();

  await using second = await openSqliteStore({ file, clock: systemClock });
  await afterwards(second, known);
  await expectExactCounts(second);
}

describe('after a restart', () => {
  it.each([
    ['the queue', { maxRunning: 1 }],
    ['each node', { maxRunningPerNode: 1 }],
    ['each key', { limits: [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }] }],
    ['starts by key', { limits: [{ name: 'tenant', by: 'tenant', max: 1, perMs: 60_000 }] }],
  ])('the limit on %s still holds', (_, settings) =>
    acrossRestart(
      async (store) => {
        const queue = await addQueue(store, settings);
        await addClaimed(store, queue, { params: { tenant: 'a' } });
        await addTask(store, queue, { params: { tenant: 'a' } });
        return queue;
      },
      async (store, queue) => {
        const claim = aClaim({ queueId: queue.id });
        expect(await store.attempts.claim(claim, at(after(NOON, 1)))).toEqual([]);
      },
    ),
  );

  it('the limit and the number of running tasks of a node are known', () =>
    acrossRestart(
      async (store) => {
        const queue = await addQueue(store);
        await store.nodes.heartbeat('default', [aBeat()], at(NOON));
        await store.nodes.update('default', 'node-1', { maxRunning: 1 }, at(NOON));
        await addClaimed(store, queue);
        await addTask(store, queue);
        return queue;
      },
      async (store, queue) => {
        const claim = aClaim({ queueId: queue.id });
        expect(await store.attempts.claim(claim, at(NOON))).toEqual([]);
        expect(await store.nodes.find('default', 'node-1')).toMatchObject({ runningCount: 1 });
      },
    ));

  it('a repeated claim gets its tasks again', () =>
    acrossRestart(
      async (store) => {
        const queue = await addQueue(store);
        await addTasks(store, queue, [aNewTask(), aNewTask({ priority: 1 }), aNewTask()]);
        const request = aClaim({ queueId: queue.id, limit: 2, token: 'call-1' });
        return { request, claims: await store.attempts.claim(request, at(NOON)) };
      },
      async (store, { request, claims }) => {
        expect(claims).toHaveLength(2);
        expect(await store.attempts.claim(request, at(NOON))).toEqual(claims);
        const another = { ...request, token: 'call-2' };
        expect(await store.attempts.claim(another, at(NOON))).toHaveLength(1);
        expect(await store.attempts.claim(request, at(NOON))).toEqual(claims);
      },
    ));

  it('leases run out and delays end at their time', () =>
    acrossRestart(
      async (store) => {
        const queue = await addQueue(store, { leaseMs: seconds(30) });
        const { taskId } = await addClaimed(store, queue);
        const delayed = await addTask(store, queue, { delayMs: minutes(1) });
        return { queue, taskId, delayed };
      },
      async (store, { queue, taskId, delayed }) => {
        expect(await store.attempts.nextDue('default')).toEqual(after(NOON, seconds(30)));
        expect(await someCounts(store, queue)).toEqual({ running: 1, delayed: 1 });

        expect(await stateOf(store, taskId, after(NOON, seconds(30)))).toBe('queued');
        expect(await stateOf(store, delayed, after(NOON, minutes(1)))).toBe('queued');
        expect(await listAttempts(store, taskId)).toMatchObject([{ outcome: 'orphaned' }]);
      },
    ));

  it('tasks of a deleted queue stay hidden, and are purged', () =>
    acrossRestart(
      async (store) => {
        const queue = await addQueue(store);
        const { taskId } = await addClaimed(store, queue);
        await addTask(store, queue, { delayMs: minutes(1) });
        await store.nodes.heartbeat('default', [aBeat()], at(NOON));
        await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));
        return taskId;
      },
      async (store, taskId) => {
        const later = after(NOON, minutes(5));
        expect(await store.attempts.expireDue({ ...at(later), limit: 10 })).toEqual({
          expired: 0,
          readied: 0,
        });
        expect(await stateOf(store, taskId, later)).toBeNull();
        expect(await store.nodes.find('default', 'node-1')).toMatchObject({ runningCount: 0 });
        expect(await store.queues.purge({ ...at(later), limit: 10 })).toBe(2);
        expect(await store.queues.purge({ ...at(later), limit: 10 })).toBe(0);
      },
    ));
});

describe('after a step that failed', () => {
  it('counters and limits are those of the steps that did not', async () => {
    await using store = await openSqliteStore({ file: ':memory:', clock: systemClock });
    const queue = await addQueue(store, { maxRunning: 1 });
    const taken = await addTask(store, queue);
    const submit = (id: string) =>
      store.tasks.submit(
        { queueId: queue.id, tasks: [aNewTask(), aNewTask({ id })], onConflict: 'refuse' },
        at(NOON),
      );

    const answers = await Promise.allSettled([
      submit('69a42bc0aaaaaaaaaaaaaaaa'),
      store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON)),
      submit(taken), // ids are the caller's to choose anew
      store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON)),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(answers[1]).toMatchObject({ value: [{ taskId: taken }] });
    expect(answers[3]).toMatchObject({ value: [] });
    expect(await someCounts(store, queue)).toEqual({ queued: 2, running: 1 });
    await expectExactCounts(store);
  });
});
