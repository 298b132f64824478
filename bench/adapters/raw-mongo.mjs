// Not a peer: the bare driver, majority and journaled. Claims go in batches under a token; finished documents stay.
// No attempts, fences, limits, counts or retries: the ceiling.
import { MongoClient, ObjectId } from 'mongodb';
import { coalesceSubmits } from '../coalesced-submits.mjs';

const BATCH = 1000;

export async function open({ url }) {
  const client = await MongoClient.connect(url, { writeConcern: { w: 'majority', journal: true } });
  const jobs = client.db().collection('jobs');
  await jobs.createIndex({ state: 1, _id: 1 });
  await jobs.createIndex({ token: 1 }, { sparse: true });
  const insertAll = (list) => jobs.insertMany(list.map((params) => ({ state: 0, params })));
  const claim = async () => {
    const waiting = jobs.find({ state: 0 }).sort({ _id: 1 }).limit(BATCH).project({ _id: 1 });
    const ids = (await waiting.toArray()).map(({ _id }) => _id);
    if (ids.length === 0) return [];
    const token = new ObjectId();
    await jobs.updateMany({ _id: { $in: ids }, state: 0 }, { $set: { state: 1, token } });
    return jobs.find({ token }).toArray();
  };
  const complete = (ids) =>
    jobs.updateMany({ _id: { $in: ids } }, { $set: { state: 2 }, $unset: { token: 1 } });
  let stopping = false;
  let isEmpty = false;
  let loop = Promise.resolve();
  return {
    submit: coalesceSubmits(insertAll, { lanes: 2 }),
    submitMany: insertAll,
    counts: () => jobs.aggregate([{ $group: { _id: '$state', count: { $sum: 1 } } }]).toArray(),
    async work({ onTask }) {
      loop = (async () => {
        let completing = Promise.resolve();
        while (!stopping) {
          const claimed = await claim();
          for (const { params } of claimed) onTask(params);
          await completing;
          if (claimed.length > 0) completing = complete(claimed.map(({ _id }) => _id));
          isEmpty = claimed.length === 0;
          if (isEmpty) await new Promise((resolve) => setTimeout(resolve, 2));
        }
        await completing;
      })();
    },
    async drained() {
      while (!isEmpty) await new Promise((resolve) => setTimeout(resolve, 1));
    },
    async stop() {
      stopping = true;
      await loop;
      await client.close();
    },
  };
}
