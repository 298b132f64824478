import { describe, expect, it } from 'vitest';
import { type Engine, noCounts, type TaskState } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { claimOne, settle, stateOf, submitOne } from '../conformance/engine/scene.ts';
import { hours, minutes } from '../support/builders.ts';
import { openHost } from './engine-host.ts';
import { remote } from './remote-engine.ts';

const open = async () =>
  remote(await openHost((clock) => openSqliteStore({ file: ':memory:', clock })));

describe('through the API', () => {
  it('[CO-60] one call counts the tasks by state: what a full listing gives, and fast with a million', async () => {
    await using yard = await open();
    const { engine } = yard;
    await engine.queues.create('q', { maxAttempts: 1, leaseMs: hours(1) });
    for (let batch = 0; batch < 20; batch += 1) await engine.tasks.submit('q', tasks(batch, 5000));
    const { claims } = await engine.attempts.claim({ node: 'n1', limit: 3000 });
    const items = claims.slice(0, 2000).map(({ taskId, fence }, index) => {
      const outcome = index % 4 === 0 ? ('failed' as const) : ('succeeded' as const);
      return { taskId, fence, outcome };
    });
    await engine.attempts.settle(items);

    const counts = await engine.queues.countsOf('q');

    expect(counts).toEqual(await countByListing(engine, 'q'));
    const listed = {
      ...noCounts(),
      queued: 87_000,
      delayed: 5_000,
      held: 5_000,
      running: 1_000,
      succeeded: 1_500,
      failed: 500,
    };
    expect(counts).toEqual(listed);

    const plain = Array.from({ length: 10_000 }, () => ({}));
    for (let batch = 0; batch < 90; batch += 1) await engine.tasks.submit('q', plain);
    const began = performance.now();
    const all = await engine.queues.countsOf('q');
    const tookMs = performance.now() - began;

    expect(all).toEqual({ ...listed, queued: 987_000 });
    expect(tookMs).toBeLessThan(250);
  }, 180_000);

  it('[CO-61] leases of hours run out by a clock turned by hand, without sleeping', async () => {
    await using yard = await open();
    const { engine, clock } = yard;
    await engine.queues.create('q', { leaseMs: hours(6), maxAttempts: null, maxLosses: null });
    const id = await submitOne(engine, 'q');
    const began = performance.now();
    for (let claims = 1; claims <= 3; claims += 1) {
      const held = await claimOne(engine);
      expect(held.claimCount).toBe(claims);

      await clock.advance(hours(6) - 1);
      expect(await stateOf(engine, id)).toBe('running');
      await clock.advance(minutes(1));

      expect(await stateOf(engine, id)).toBe('queued');
      expect((await settle(engine, held, 'failed')).status).toBe('late');
    }

    expect(performance.now() - began).toBeLessThan(minutes(1));
  });
});

/** Every twentieth task is delayed, every twentieth held, the rest waits. */
function tasks(batch: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    params: { batch, index },
    ...(index % 20 === 0 && { delayMs: hours(1) }),
    ...(index % 20 === 1 && { hold: true }),
  }));
}

async function countByListing(engine: Engine, queue: string): Promise<Record<TaskState, number>> {
  const counts = noCounts();
  let after: string | null = null;
  do {
    const page = await engine.tasks.list({ queues: [queue] }, { after, limit: 1000 });
    for (const { state } of page.items) counts[state] += 1;
    after = page.next;
  } while (after !== null);
  return counts;
}
