// plainjob on better-sqlite3. It sets WAL and synchronous=NORMAL itself: no sync to disk per commit.
import Database from 'better-sqlite3';
import { better, defineQueue, defineWorker, JobStatus } from 'plainjob';

const quiet = { error: console.error, warn() {}, info() {}, debug() {} };

export async function open({ file }) {
  const queue = defineQueue({ connection: better(new Database(file)), logger: quiet });
  const workers = [];
  const left = () =>
    queue.countJobs({ type: 'bench', status: JobStatus.Pending }) +
    queue.countJobs({ type: 'bench', status: JobStatus.Processing });
  return {
    submit: async (params) => queue.add('bench', params),
    submitMany: async (list) => queue.addMany('bench', list),
    counts: async () => [0, 1, 2, 3].map((status) => queue.countJobs({ status })),
    // A worker runs one job at a time, and more workers in a process were slower: one is its best.
    async work({ onTask }) {
      const worker = defineWorker('bench', (job) => onTask(JSON.parse(job.data)), {
        queue,
        logger: quiet,
        pollIntervall: 5,
      });
      workers.push(worker);
      void worker.start();
    },
    async drained() {
      while (left() > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    async stop() {
      for (const worker of workers) {
        await Promise.race([worker.stop(), new Promise((resolve) => setTimeout(resolve, 200))]);
      }
    },
  };
}
