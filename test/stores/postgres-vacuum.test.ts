import { describe, expect, it } from 'vitest';
import { addQueue } from '../conformance/store/store-reading.ts';
import { NOON, seconds } from '../support/builders.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const postgres = testPostgres();

describe('dead rows of tasks', () => {
  it('are vacuumed away by the store itself, once there are many', async () => {
    const schema = await postgres.takeSchema();
    const clock = createFakeClock(NOON);
    await using store = await postgres.open({ schema, clock });
    const queue = await addQueue(store);
    // The server's own vacuum must not come first.
    await postgres.query(`alter table ${schema}.tasks set (autovacuum_enabled = off)`);
    await postgres.query(`
      insert into ${schema}.tasks (id, queue, state, priority, rank, params, created_at, updated_at)
      select sha256(n::text::bytea), q.row, 2, 0, '', 'null', 0, 0
      from generate_series(1, 60000) n, ${schema}.queues q where q.id = '${queue.id}'`);
    await postgres.query(`delete from ${schema}.tasks`);

    await eventually('it was vacuumed', async () => {
      await clock.advance(seconds(4));
      const [found] = await postgres.query<{ times: string }>(`
        select vacuum_count as times from pg_stat_all_tables
        where relid = '${schema}.tasks'::regclass`);
      return Number(found?.times) > 0;
    });

    expect(await store.queues.find('default', queue.name)).not.toBeNull();
  });
});
