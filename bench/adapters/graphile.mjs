// graphile-worker at its best of four settings: local queue of 1,000, completions in batches of 5 ms.
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';

const quiet = new Logger(
  () => (level, message) => level === 'error' && console.error('graphile-worker:', message),
);
const TASKS = 'graphile_worker._private_jobs';

export async function open({ url }) {
  const pool = openPool(url);
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
  await utils.migrate();
  let runner = null;
  const isEmpty = async () =>
    (await pool.query(`select not exists (select 1 from ${TASKS}) as empty`)).rows[0].empty;
  return {
    submit: (payload) => utils.addJob('bench', payload),
    submitMany: (list) => utils.addJobs(list.map((payload) => ({ identifier: 'bench', payload }))),
    counts: () =>
      pool.query(`select locked_at is not null, run_at > now(), attempts >= max_attempts, count(*)
        from ${TASKS} group by 1, 2, 3`),
    async work({ concurrency, onTask }) {
      const worker = {
        concurrentJobs: concurrency,
        pollInterval: 2000,
        logger: quiet,
        localQueue: { size: 1000 },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 0,
      };
      runner = await run({
        pgPool: openPool(url),
        noHandleSignals: true,
        taskList: { bench: async (payload) => onTask(payload) },
        preset: { worker },
      });
    },
    async drained() {
      while (!(await isEmpty())) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    stop: async () => runner?.stop(),
  };
}

/** The server is dropped under idle connections at the end: that is no error of a measurement. */
function openPool(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 20 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
