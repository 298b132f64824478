import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Claim, Store } from '../../src/core/store/index.ts';
import { toByteas, toNumbers } from '../../src/stores/postgres/array-literal.ts';
import { CLAIM_PLAIN_SQL } from '../../src/stores/postgres/claim-plain.ts';
import { toStartOptions } from '../../src/stores/postgres/connection-options.ts';
import { CHECK_DUE_SQL, NEXT_DUE_SQL } from '../../src/stores/postgres/due.ts';
import { RENEW_PLAIN_SQL, START_PLAIN_SQL } from '../../src/stores/postgres/hold-plain.ts';
import { HEADS_SQL } from '../../src/stores/postgres/queue-heads.ts';
import { SETTLE_PLAIN_SQL } from '../../src/stores/postgres/settle-plain.ts';
import { LOCK_TASKS_SQL } from '../../src/stores/postgres/task-rows.ts';
import { FIND_SQL } from '../../src/stores/postgres/task-store.ts';
import { addQueue, addTasks } from '../conformance/store/store-reading.ts';
import { aClaim, aNewTask, aSettlement, at, NOON } from '../support/builders.ts';
import { testPostgres } from '../support/databases/postgres.ts';

const postgres = testPostgres();

const BATCH = 50;
const WAITING = 3000;

/** Statistics of another moment, as the server may have them when a burst comes. */
const MOMENTS = {
  'never looked at the table': [],
  'saw it empty': ['empty'],
  'saw one task': ['one'],
  'saw all tasks wait': ['waiting'],
  'saw all tasks finished': ['finished'],
} as const;

describe('the plans of the hot statements', () => {
  it.each(Object.entries(MOMENTS))(
    'probe and walk indexes and sort nothing when the server %s',
    async (_, [moment]) => {
      const schema = await postgres.takeSchema();
      await using store = await postgres.open({ schema });
      const queue = await addQueue(store);
      const analyze = () => postgres.query(`vacuum analyze ${schema}.tasks`);
      if (moment === 'empty') await analyze();
      if (moment === 'one') {
        await addTasks(store, queue, [aNewTask()]);
        await analyze();
      }
      await addTasks(store, queue, many(WAITING));
      if (moment === 'waiting') await analyze();
      if (moment === 'finished') {
        await drain(store, queue.id);
        await analyze();
        await addTasks(store, queue, many(WAITING));
      }
      const live = await store.attempts.claim(
        aClaim({ queueId: queue.id, limit: BATCH, start: false }),
        at(NOON),
      );

      const plans = await explain(schema, live);

      expect(plans.length).toBeGreaterThan(10);
      for (const plan of plans) {
        expect(plan).not.toMatch(/Seq Scan on (tasks|attempts)|Bitmap|Hash Join|Merge Join/);
        expect(plan).not.toMatch(/LockRows[^\n]*\n\s+->\s+(Incremental )?Sort/);
        for (const [, removed] of plan.matchAll(/Rows Removed by (?:Join )?Filter: (\d+)/g)) {
          expect(Number(removed), plan).toBeLessThanOrEqual(BATCH);
        }
      }
    },
  );
});

function many(count: number) {
  return Array.from({ length: count }, () => aNewTask());
}

async function drain(store: Store, queueId: string): Promise<void> {
  for (;;) {
    const claims = await store.attempts.claim(aClaim({ queueId, limit: 1000 }), at(NOON));
    if (claims.length === 0) return;
    await store.attempts.settle(
      'default',
      claims.map((claim) => aSettlement(claim)),
      at(NOON),
    );
  }
}

/** Runs the statements as the store does, and gives the plans of all they ran, nested ones too. */
async function explain(schema: string, live: readonly Claim[]): Promise<string[]> {
  const client = new pg.Client({
    connectionString: postgres.url,
    options: `${toStartOptions('steps', schema)} -c client_min_messages=notice`,
  });
  await client.connect();
  const plans: string[] = [];
  client.on('notice', ({ message = '' }) => {
    if (/^duration/.test(message)) plans.push(message);
  });
  try {
    await client.query(`
      load 'auto_explain'; set auto_explain.log_level = notice;
      set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on;
      set auto_explain.log_nested_statements = on`);
    const now = NOON.getTime();
    const [queue] = (await client.query('select row, revision from queues')).rows;
    const ids = toByteas(live.map(({ taskId }) => taskId).toSorted());
    const fences = toNumbers(live.map(({ fence }) => fence));
    const ones = toNumbers(live.map(() => 1));
    const fives = toNumbers(live.map(() => 5));
    const leases = toNumbers(live.map(() => 60_000));
    const queues = [`{${queue.row}}`, `{${queue.revision}}`, `{${BATCH}}`, '{60000}'];
    await client.query('begin');
    const statements: [string, unknown[]][] = [
      [CHECK_DUE_SQL, [now]],
      [NEXT_DUE_SQL, ['default']],
      [HEADS_SQL, ['default', now]],
      [FIND_SQL, [ids, 'default']],
      [LOCK_TASKS_SQL, [ids]],
      [CLAIM_PLAIN_SQL, [now, 1, 'token', false, 4, BATCH, ...queues]],
      [START_PLAIN_SQL, [ids, fences, 'default', now]],
      [RENEW_PLAIN_SQL, [ids, fences, 'default', now, leases, '{}', '{}']],
      [
        SETTLE_PLAIN_SQL,
        [ids, fences, fives, ones, ones, '{}', '{}', '{}', '{}', now, 'default', live.length],
      ],
    ];
    for (const [index, [text, values]] of statements.entries()) {
      await client.query({ name: `s${index}`, text, values });
    }
    await client.query('rollback');
  } finally {
    await client.end();
  }
  return plans;
}
