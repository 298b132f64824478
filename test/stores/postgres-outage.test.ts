import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/core/index.ts';
import type { Store } from '../../src/core/store/index.ts';
import { openPostgresStore } from '../../src/stores/postgres/store.ts';
import { addQueue, expectExactCounts } from '../conformance/store/store-reading.ts';
import { aClaim, aNewTask, aSettlement } from '../support/builders.ts';
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts';
import { eventually } from '../support/eventually.ts';

const NOW = { now: null };
let server: PostgresServer;

// With every sync: what was acknowledged must be there after a crash.
beforeAll(async () => {
  server = await startPostgres([]);
});
afterAll(() => server.stop());

const open = () =>
  openPostgresStore({ url: server.url, clock: systemClock, random: systemRandom, poolSize: 4 });

/** Submits, claims and settles until told to stop; knows what was acknowledged. */
function work(store: Store, queueId: string) {
  const submitted: string[] = [];
  const settled: string[] = [];
  let isOver = false;
  const unavailable = { code: 'STORE_UNAVAILABLE' };
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act();
    } catch (error) {
      expect(error).toMatchObject(unavailable);
    }
  };
  const loops = [
    async () => {
      const task = aNewTask();
      await store.tasks.submit({ queueId, tasks: [task], onConflict: 'refuse' }, NOW);
      submitted.push(task.id);
    },
    async () => {
      const claims = await store.attempts.claim(aClaim({ queueId, limit: 3 }), NOW);
      const ends = claims.map((claim) => aSettlement(claim));
      for (const { taskId, status } of await store.attempts.settle('default', ends, NOW)) {
        expect(status).toMatch(/applied|repeated/);
        settled.push(taskId);
      }
    },
  ].map(async (act) => {
    while (!isOver) await attempt(act);
  });
  return {
    submitted,
    settled,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

describe('kill -9 of the server', () => {
  it('loses nothing that was acknowledged; the store goes on by itself when it is back', async () => {
    await using store = await open();
    const queue = await addQueue(store, { leaseMs: 2000 });
    const working = work(store, queue.id);
    await eventually('work is done', () => working.settled.length > 100);

    await server.crash();
    const before = working.submitted.length;
    await server.start();
    await eventually('it goes on', () => working.submitted.length > before + 100);
    await working.stop();

    const kept = await store.tasks.peek('default', working.submitted);
    expect(kept.filter((task) => task === null)).toEqual([]);
    const ended = await store.tasks.peek('default', working.settled);
    expect(ended.filter((task) => task?.state !== 'succeeded')).toEqual([]);
    expect(new Set(working.settled).size).toBe(working.settled.length);
    await expectExactCounts(store, await store.now());
  });

  it('is told as what it is while it lasts', async () => {
    await using store = await open();
    await server.crash();

    await expect(store.queues.find('default', 'q')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/no answer from postgres:\/\/postgres@127/),
    });
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });

    await server.start();
    await expect(store.queues.find('default', 'q')).resolves.toBeNull();
  });
});
