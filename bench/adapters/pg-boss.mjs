// pg-boss at its best of four settings: notify, batches of 1,000, four fetchers, no pause while batches are full.
import pg from 'pg';
import { PgBoss } from 'pg-boss';

const FETCHERS = 4;

export async function open({ url }) {
  const boss = new PgBoss({
    connectionString: url,
    max: 20,
    schedule: false,
    supervise: false,
    useListenNotify: true,
  });
  boss.on('error', (error) => console.error('pg-boss:', error.message));
  await boss.start();
  await boss.createQueue('bench', { notify: true });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const isDone = async () => {
    const { rows } = await pool.query(
      `select not exists (select 1 from pgboss.job where name = 'bench' and state < 'completed') as done`,
    );
    return rows[0].done;
  };
  return {
    submit: (data) => boss.send('bench', data),
    submitMany: (list) =>
      boss.insert(
        'bench',
        list.map((data) => ({ data })),
      ),
    counts: () => pool.query('select state, count(*) from pgboss.job group by 1'),
    async work({ concurrency, onTask }) {
      const options = {
        batchSize: 1000,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
        localConcurrency: Math.min(concurrency, FETCHERS),
      };
      await boss.work('bench', options, async (jobs) => {
        for (const job of jobs) onTask(job.data);
      });
    },
    async drained() {
      while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 3000 });
      await pool.end();
    },
  };
}
