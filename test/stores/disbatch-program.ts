/** Another program on the same database: it knows Disbatch's documents and nothing of ours. */
import { type Db, ObjectId } from 'mongodb';

// biome-ignore lint/suspicious/noExplicitAny: documents of others, in any shape
export type AnyDocument = Record<string, any>;

export function disbatchProgram(db: Db) {
  const tasks = db.collection<AnyDocument>('tasks');
  const queues = db.collection<AnyDocument>('queues');
  return {
    tasks,
    queues,
    nodes: db.collection<AnyDocument>('nodes'),

    async addQueue(fields: AnyDocument = {}): Promise<ObjectId> {
      const _id = new ObjectId();
      const queue = { _id, name: `queue-${_id.toHexString()}`, plugin: 'Demo', threads: 10 };
      await queues.insertOne({ ...queue, ...fields });
      return _id;
    },

    /** As the command interface of Disbatch 4 writes it, field by field. */
    async addTask(queue: unknown, fields: AnyDocument = {}): Promise<ObjectId> {
      const _id = new ObjectId();
      const now = new Date();
      const waiting = { queue, status: -2, stdout: null, stderr: null, node: null };
      const task = { _id, ...waiting, params: { n: 1 }, ctime: now, mtime: now };
      await tasks.insertOne({ ...task, ...fields });
      return _id;
    },

    async get(_id: unknown): Promise<AnyDocument> {
      const task = await tasks.findOne({ _id: _id as ObjectId });
      if (!task) throw new Error(`No document ${_id}`);
      return task;
    },

    /** The claim of a Disbatch 4 node. */
    claim(queue: unknown, node: string): Promise<AnyDocument | null> {
      return tasks.findOneAndUpdate(
        { $or: [{ node: null }, { node: -1 }], status: -2, queue } as object,
        { $set: { node, status: -1, mtime: new Date() } },
        { sort: { _id: 1 } },
      );
    },

    /** DEN 1.1's second way to claim: update, find, update. */
    async claimInTwoSteps(queue: unknown, node: string): Promise<AnyDocument | null> {
      const free = { queue, node: -1, status: -2 } as object;
      await tasks.updateOne(free, { $set: { node, status: -1 } });
      const mine = await tasks.findOne({ queue, node, status: -1 } as object);
      if (!mine) return null;
      await tasks.updateOne({ _id: mine._id }, { $set: { status: 0, mtime: new Date() } });
      return mine;
    },

    /** The runner's two updates. */
    async finish(_id: unknown, status: number): Promise<void> {
      await tasks.updateOne({ _id: _id as ObjectId }, { $set: { status } });
      const output = { stdout: 'done', stderr: '', complete: true };
      await tasks.updateOne({ _id: _id as ObjectId }, { $set: output });
    },
  };
}
