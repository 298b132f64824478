import { describe, expect, it } from 'vitest';
import { addQueue, addTask } from '../conformance/store/store-reading.ts';
import { aNewTask, NOON } from '../support/builders.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const postgres = testPostgres();
const NOW = { now: null };

describe('the heads of queues', () => {
  it('are exact after every step of the same process', async () => {
    await using store = await postgres.open({ clock: createFakeClock(NOON) });
    const queue = await addQueue(store);

    for (const queued of [0, 1, 2, 3]) {
      const heads = await store.queues.heads('default', NOW);
      expect(heads).toMatchObject([{ queue: { id: queue.id }, counts: { queued } }]);
      const tasks = [aNewTask()];
      await store.tasks.submit({ queueId: queue.id, tasks, onConflict: 'refuse' }, NOW);
    }
  });

  it('are at most 100 ms old after steps of another one', async () => {
    const schema = await postgres.takeSchema();
    const clock = createFakeClock(NOON);
    await using store = await postgres.open({ schema, clock });
    await using other = await postgres.open({ schema });
    const queue = await addQueue(other);
    await store.queues.heads('default', NOW);
    await addTask(other, queue);

    await clock.advance(100);

    const [head] = await store.queues.heads('default', NOW);
    expect(head?.counts.queued).toBe(1);
  });

  it('are read once for all who ask at the same time', async () => {
    await using store = await postgres.open({ clock: createFakeClock(NOON) });
    await addQueue(store);

    const asked = Array.from({ length: 5 }, () => store.queues.heads('default', NOW));

    const [first, ...others] = await Promise.all(asked);
    for (const one of others) expect(one).toBe(first);
  });
});
