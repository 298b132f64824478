// Not a peer: the bare statements through pg. The one that claims a batch also completes the batch before; finished rows stay.
// No attempts, fences, limits, counts or retries: the ceiling.
import pg from 'pg';
import { coalesceSubmits } from '../coalesced-submits.mjs';

const BATCH = 500;
const LANES = 2;
const INSERT = 'insert into jobs (params) select unnest($1::text[])';
const CLAIM = `with done as (update jobs set state = 2 where id = any($1))
  update jobs set state = 1 where id = any(array(
    select id from jobs where state = 0 order by id limit $2 for update skip locked))
  returning id, params`;
// Whatever the statistics of a fresh table say, the claim reads the index in order.
const PLANS = '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off -c jit=off';

export async function open({ url }) {
  const pool = new pg.Pool({ connectionString: url, max: 8, options: PLANS });
  await pool.query(`
    create table jobs (id int8 generated always as identity primary key, state int2 not null default 0, params text not null)
      with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
    create index ready on jobs (id) where state = 0`);
  const insertAll = (list) =>
    pool.query({
      name: 'insert',
      text: INSERT,
      values: [list.map((item) => JSON.stringify(item))],
    });
  const take = async (done, count) =>
    (await pool.query({ name: 'claim', text: CLAIM, values: [done, count] })).rows;
  let stopping = false;
  let lanes = [];
  const empty = new Set();
  return {
    submit: coalesceSubmits(insertAll, { lanes: LANES }),
    submitMany: insertAll,
    counts: () => pool.query('select state, count(*) from jobs group by 1'),
    async work({ onTask }) {
      lanes = Array.from({ length: LANES }, async (_, lane) => {
        let ids = [];
        while (!stopping) {
          const rows = await take(ids, BATCH);
          ids = rows.map(({ id }) => id);
          for (const row of rows) onTask(JSON.parse(row.params));
          if (rows.length > 0) empty.delete(lane);
          else {
            empty.add(lane);
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        }
        await take(ids, 0);
      });
    },
    async drained() {
      while (empty.size < LANES) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    async stop() {
      stopping = true;
      await Promise.all(lanes);
      await pool.end();
    },
  };
}
