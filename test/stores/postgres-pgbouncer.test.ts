import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claim, Store } from '../../src/core/store/index.ts';
import {
  addQueue,
  addTasks,
  expectExactCounts,
  someCounts,
} from '../conformance/store/store-reading.ts';
import { aClaim, aNewTask, aSettlement } from '../support/builders.ts';
import { type PgBouncer, startPgBouncer } from '../support/databases/pgbouncer.ts';
import { testPostgres } from '../support/databases/postgres.ts';

const postgres = testPostgres();
const NOW = { now: null };
let bouncer: PgBouncer;

beforeAll(async () => {
  bouncer = await startPgBouncer(postgres.url);
});
afterAll(async () => {
  await bouncer[Symbol.asyncDispose]();
});

const open = async (schema: string): Promise<Store> =>
  postgres.open({ schema, url: bouncer.url, poolSize: 4 });

describe('behind PgBouncer in transaction mode', () => {
  it('the store knows, and says that it hears of nobody', async () => {
    const schema = await postgres.takeSchema();
    await using behind = await open(schema);
    await using direct = await postgres.open({ schema });

    expect(behind.capabilities.pushesWakeups).toBe(false);
    expect(direct.capabilities.pushesWakeups).toBe(true);
  });

  it('every step works, whichever connection it meets', async () => {
    const schema = await postgres.takeSchema();
    await using first = await open(schema);
    await using second = await open(schema);
    const queue = await addQueue(first, { maxRunning: 6 });
    const plain = await addQueue(first, { name: 'plain' });
    for (const { id } of [queue, plain]) {
      const submit = (store: Store) =>
        store.tasks.submit({ queueId: id, tasks: [aNewTask()], onConflict: 'refuse' }, NOW);
      await Promise.all(Array.from({ length: 20 }, (_, n) => submit(n % 2 ? first : second)));
      await addTasks(
        first,
        { id },
        Array.from({ length: 20 }, () => aNewTask()),
      );
    }

    const drain = async (store: Store, queueId: string): Promise<Claim[]> => {
      const all: Claim[] = [];
      for (let idle = 0; idle < 10; ) {
        const claims = await store.attempts.claim(aClaim({ queueId, limit: 5 }), NOW);
        idle = claims.length === 0 ? idle + 1 : 0;
        const ends = claims.map((claim) => aSettlement(claim));
        await store.attempts.settle('default', ends, NOW);
        all.push(...claims);
      }
      return all;
    };
    const drained = await Promise.all(
      [first, second].flatMap((store) => [drain(store, queue.id), drain(store, plain.id)]),
    );

    expect(new Set(drained.flat().map(({ taskId }) => taskId)).size).toBe(80);
    for (const one of [queue, plain]) {
      expect(await someCounts(first, one, await first.now())).toEqual({ succeeded: 40 });
    }
    await expectExactCounts(first, await first.now());
    const page = await second.tasks.list(
      'default',
      { sort: 'id', direction: 'asc', after: null, limit: 100 },
      NOW,
    );
    expect(page.items).toHaveLength(80);
  });
});
