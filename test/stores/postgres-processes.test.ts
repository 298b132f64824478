import { describe, expect, it } from 'vitest';
import type { Claim, Store, StoreChange } from '../../src/core/store/index.ts';
import {
  addQueue,
  addTasks,
  changeQueue,
  expectExactCounts,
  someCounts,
} from '../conformance/store/store-reading.ts';
import { aBeat, aClaim, aNewTask, aSettlement } from '../support/builders.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { eventually } from '../support/eventually.ts';

const postgres = testPostgres();
const NOW = { now: null };

/** Several stores on one schema, as several processes have them. */
async function openMany(count: number) {
  const schema = await postgres.takeSchema();
  const stores: Store[] = [];
  for (let opened = 0; opened < count; opened++) stores.push(await postgres.open({ schema }));
  return {
    schema,
    stores,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
    },
  };
}

/** Each store claims, settles and claims again until nothing is left; the most that were live is noted. */
async function drainTogether(stores: readonly Store[], queueId: string, onClaims: () => void) {
  const taken: Claim[] = [];
  await Promise.all(
    stores.map(async (store, index) => {
      for (let idle = 0; idle < 20; ) {
        const node = `node-${index % 2}`;
        const claims = await store.attempts.claim(aClaim({ queueId, node, limit: 7 }), NOW);
        taken.push(...claims);
        onClaims();
        idle = claims.length === 0 ? idle + 1 : 0;
        if (claims.length === 0) continue;
        const ends = claims.map((claim) => aSettlement(claim));
        await store.attempts.settle('default', ends, NOW);
      }
    }),
  );
  return taken;
}

describe('many processes on one schema', () => {
  it('make it once, though all start at the same time', async () => {
    const schema = await postgres.takeSchema();

    const stores = await Promise.all([1, 2, 3, 4].map(() => postgres.open({ schema })));

    for (const store of stores) {
      expect(await store.namespaces.list()).toEqual([]);
      await store.close();
    }
  });

  it('give each task to one of them', async () => {
    await using yard = await openMany(4);
    const [first] = yard.stores as [Store];
    const queue = await addQueue(first);
    await addTasks(first, queue, many(500));

    const taken = await drainTogether(yard.stores, queue.id, () => {});

    expect(new Set(taken.map(({ taskId }) => taskId)).size).toBe(500);
    expect(taken).toHaveLength(500);
    expect(await someCounts(first, queue, await first.now())).toEqual({ succeeded: 500 });
    await expectExactCounts(first, await first.now());
  });

  it.each([
    ['queue', { maxRunning: 9 }, 9],
    ['node', { maxRunningPerNode: 4 }, 8],
    ['key', { limits: [{ name: 'tenant', by: 'tenant', max: 5, perMs: null }] }, 5],
  ])('never exceed the limit of a %s', async (_, settings, most) => {
    await using yard = await openMany(4);
    const [first] = yard.stores as [Store];
    const queue = await addQueue(first, settings);
    await addTasks(first, queue, many(300));
    const samples = sampleLives(yard.schema);

    await drainTogether(yard.stores, queue.id, samples.take);

    expect(Math.max(...(await samples.all()))).toBeLessThanOrEqual(most);
    expect(Math.max(...(await samples.all()))).toBeGreaterThan(0);
    expect(await someCounts(first, queue, await first.now())).toEqual({ succeeded: 300 });
  });

  it('never exceed a limit that is set while they claim', async () => {
    await using yard = await openMany(3);
    const [first, ...others] = yard.stores as [Store, Store, Store];
    const queue = await addQueue(first);
    await addTasks(first, queue, many(200));
    const claimOne = (store: Store) =>
      store.attempts.claim(aClaim({ queueId: queue.id, limit: 1 }), NOW);
    const claiming = others.map(async (store) => {
      const claims: Claim[] = [];
      for (let tries = 0; tries < 60; tries++) claims.push(...(await claimOne(store)));
      return claims.length;
    });
    await claimOne(first);

    await changeQueue(first, queue, { maxRunning: 0 });
    const [atChange] = await lives(yard.schema);

    await Promise.all(claiming);
    expect(await lives(yard.schema)).toEqual([atChange]);
  });

  it('never exceed the limit of a node, which operators set', async () => {
    await using yard = await openMany(3);
    const [first] = yard.stores as [Store];
    const queue = await addQueue(first);
    await addTasks(first, queue, many(60));
    await first.nodes.heartbeat('default', [aBeat({ name: 'n' })], NOW);
    await first.nodes.update('default', 'n', { maxRunning: 5 }, NOW);

    const claims = await Promise.all(
      [...yard.stores, ...yard.stores].map((store) =>
        store.attempts.claim(aClaim({ queueId: queue.id, node: 'n', limit: 4 }), NOW),
      ),
    );

    expect(claims.flat()).toHaveLength(5);
  });

  it('give a repeated claim the same tasks, whichever of them it comes to', async () => {
    await using yard = await openMany(2);
    const [first, second] = yard.stores as [Store, Store];
    const queue = await addQueue(first);
    await addTasks(first, queue, many(20));
    const request = aClaim({ queueId: queue.id, limit: 5, token: 'call' });

    const answers = await Promise.all(
      [first, second, first, second].map((store) => store.attempts.claim(request, NOW)),
    );

    const ids = answers.map((claims) => claims.map(({ taskId }) => taskId));
    expect(ids[0]).toHaveLength(5);
    for (const other of ids) expect(other).toEqual(ids[0]);
  });

  it('add a key once, though all add it at the same time', async () => {
    await using yard = await openMany(4);
    const [first] = yard.stores as [Store];
    const queue = await addQueue(first);
    const submit = (store: Store, round: number) => {
      const tasks = ['a', 'b'].map((name) => aNewTask({ key: bytes(`${name}${round}`) }));
      return store.tasks.submit({ queueId: queue.id, tasks, onConflict: 'skip' }, NOW);
    };

    for (let round = 0; round < 10; round++) {
      await Promise.all([...yard.stores, ...yard.stores].map((store) => submit(store, round)));
    }

    expect(await someCounts(first, queue, await first.now())).toEqual({ queued: 20 });
  });

  it('see at once what another has changed of a queue', async () => {
    await using yard = await openMany(2);
    const [first, second] = yard.stores as [Store, Store];
    const queue = await addQueue(first);
    await addTasks(second, queue, many(3));
    await second.attempts.claim(aClaim({ queueId: queue.id, limit: 1 }), NOW);

    await changeQueue(first, queue, { paused: true });
    expect(await second.attempts.claim(aClaim({ queueId: queue.id }), NOW)).toEqual([]);

    await first.queues.delete({ id: queue.id, tasks: 'delete' }, NOW);
    const submission = { queueId: queue.id, tasks: [aNewTask()], onConflict: 'refuse' } as const;
    expect(await second.tasks.submit(submission, NOW)).toEqual({ status: 'missing-queue' });
  });

  it('hear of work, ends and output of each other', async () => {
    await using yard = await openMany(2);
    const [first, second] = yard.stores as [Store, Store];
    const heard = new Set<StoreChange['kind']>();
    using _own = first.onChange(() => {});
    using _listening = second.onChange(({ kind }) => heard.add(kind));
    const queue = await addQueue(first);

    await eventually('all kinds were heard', async () => {
      await addTasks(first, queue, many(1));
      const [claim] = await first.attempts.claim(aClaim({ queueId: queue.id }), NOW);
      if (!claim) return false;
      const { taskId, fence } = claim;
      const chunk = { number: 1, stream: 'stdout', offset: 0, bytes: bytes('x') } as const;
      const append = { namespace: 'default', taskId, fence, chunks: [chunk] };
      await first.outputs.append(append, NOW);
      await first.attempts.settle('default', [aSettlement(claim)], NOW);

      return heard.size === 3;
    });
  });
});

function many(count: number) {
  return Array.from({ length: count }, () => aNewTask());
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function lives(schema: string): Promise<number[]> {
  const rows = await postgres.query<{ count: string }>(
    `select count(*) as count from ${schema}.tasks where state in (3, 4)`,
  );
  return rows.map(({ count }) => Number(count));
}

/** Live tasks as another connection counts them, many times meanwhile. */
function sampleLives(schema: string) {
  const samples: Promise<number[]>[] = [];
  return {
    take: () => void samples.push(lives(schema)),
    all: async () => (await Promise.all(samples)).flat(),
  };
}
