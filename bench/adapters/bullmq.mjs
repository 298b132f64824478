// BullMQ at its best of three settings: automatic pipelining, addBulk, finished jobs removed.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

export async function open({ url, prefix, clearsUp }) {
  const connect = () => new Redis(url, { maxRetriesPerRequest: null, enableAutoPipelining: true });
  const opts = { removeOnComplete: true, removeOnFail: true };
  const queue = new Queue('bench', { connection: connect(), prefix, defaultJobOptions: opts });
  await queue.waitUntilReady();
  let worker = null;
  const left = async () => {
    const { wait, active } = await queue.getJobCounts('wait', 'active');
    return wait + active;
  };
  return {
    submit: (data) => queue.add('task', data),
    submitMany: (list) => queue.addBulk(list.map((data) => ({ name: 'task', data, opts }))),
    counts: () => queue.getJobCounts(),
    async work({ concurrency, onTask }) {
      const run = async (job) => onTask(job.data);
      worker = new Worker('bench', run, { connection: connect(), prefix, concurrency });
      worker.on('error', (error) => console.error('bullmq:', error.message));
      await worker.waitUntilReady();
    },
    async drained() {
      while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    async stop() {
      await worker?.close();
      if (clearsUp) await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}
