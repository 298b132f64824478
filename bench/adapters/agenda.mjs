// Agenda at its best of six lock limits. It has no call for many jobs: they are added one by one, 50 at a time.
import { MongoBackend } from '@agendajs/mongo-backend';
import { Agenda } from 'agenda';
import { MongoClient } from 'mongodb';

const LOCK_LIMIT = 20;
const WIDTH = 50;

export async function open({ url }) {
  const client = await MongoClient.connect(url, { maxPoolSize: WIDTH });
  const db = client.db();
  const openAgenda = async (concurrency) => {
    const agenda = new Agenda({
      backend: new MongoBackend({ mongo: db, ensureIndex: true }),
      maxConcurrency: concurrency,
      defaultConcurrency: concurrency,
      processEvery: 10,
      removeOnComplete: true,
      defaultLockLimit: LOCK_LIMIT,
      lockLimit: LOCK_LIMIT,
    });
    await agenda.ready;
    return agenda;
  };
  const producer = await openAgenda(1);
  producer.define('bench', async () => {});
  const jobs = db.collection('agendaJobs');
  let worker = null;
  return {
    submit: (data) => producer.now('bench', data),
    async submitMany(list) {
      const left = list.values();
      const lane = async () => {
        for (const data of left) await producer.now('bench', data);
      };
      await Promise.all(Array.from({ length: WIDTH }, lane));
    },
    counts: () => jobs.aggregate([{ $group: { _id: '$name', count: { $sum: 1 } } }]).toArray(),
    async work({ concurrency, onTask }) {
      worker = await openAgenda(concurrency);
      const options = { concurrency, lockLimit: LOCK_LIMIT };
      worker.define('bench', async (job) => onTask(job.attrs.data), options);
      await worker.start();
    },
    async drained() {
      while (await jobs.findOne({}, { projection: { _id: 1 } })) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async stop() {
      await worker?.stop();
      await client.close();
    },
  };
}
