import { describe, expect, it } from 'vitest';
import { changeQueue } from '../conformance/store/store-reading.ts';
import { aClaim, aSettlement } from '../support/builders.ts';
import { type AnyDocument, disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);
const soon = { now: null };
const LONG_AGO = new Date('2011-05-12T06:00:07Z');

/** The example of the DEN specification, version 1.1. */
const QUEUE: AnyDocument = {
  _id: 'insight1',
  ctime: LONG_AGO,
  class: 'Synacor::Migration::IMAP2IMAP',
  description: 'Insight Primary Migration',
  maxthreads: 50,
  nodes_pin: ['mig01', 'mig02'],
};
const PARAMETERS = { username: 'foo@foo.com', host: 'md08.foo.com' };

async function addOldTask(queue = 'insight1') {
  const old = { parameters: PARAMETERS, stdout: '', stderr: '', node: -1 };
  const times = { ctime: LONG_AGO, mtime: LONG_AGO };
  const id = await program.addTask(queue, { ...old, ...times });
  await program.tasks.updateOne({ _id: id }, { $unset: { params: '' } });
  return id;
}

const claim = (node: string, limit = 1) =>
  aClaim({ queueId: 'insight1', node, limit, start: false });

describe('documents of DEN 1.1', () => {
  it('[DEN-11] one document per queue, whoever made it', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE });
    await program.addQueue();

    const { items } = await store.queues.list('default', { after: null, limit: 10 });

    expect(items).toHaveLength(await program.queues.countDocuments());
    expect(items.find(({ name }) => name === 'insight1')).toMatchObject({
      id: 'insight1',
      handler: 'Synacor::Migration::IMAP2IMAP',
      maxRunningPerNode: 50,
      maxRunning: null,
      nodesOnly: ['mig01', 'mig02'],
      createdAt: LONG_AGO,
    });
  });

  it('[DEN-16, DEN-41, DEN-44] a task of that shape is claimed, run and written back in it', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE });
    const id = await addOldTask();

    const [first] = await store.attempts.claim(claim('mig01'), soon);
    const claimed = await program.get(id);
    const release = { outcome: 'released', data: null } as const;
    const settle = (end: Parameters<typeof aSettlement>[1]) =>
      store.attempts.settle('default', first ? [aSettlement(first, end)] : [], soon);
    await settle(release);
    const released = await program.get(id);
    const [second] = await store.attempts.claim({ ...claim('mig02'), start: true }, soon);
    const running = await program.get(id);
    await store.attempts.settle('default', second ? [aSettlement(second)] : [], soon);
    const ended = await program.get(id);

    expect(first?.params).toEqual(PARAMETERS);
    expect(claimed).toMatchObject({ node: 'mig01', status: -1, parameters: PARAMETERS });
    expect(released).toMatchObject({ node: -1, status: -2, stdout: '' });
    expect(running).toMatchObject({ node: 'mig02', status: 0 });
    expect(ended).toMatchObject({ node: 'mig02', status: 1, parameters: PARAMETERS });
    for (const document of [claimed, released, running, ended]) {
      expect(document).not.toHaveProperty('params');
      expect(document).toMatchObject({ queue: 'insight1', ctime: LONG_AGO });
    }
  });

  it('obeys nodes_pin, nodes_ignore and maxthreads on each node', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE, maxthreads: 2 });
    for (let i = 0; i < 6; i++) await addOldTask();

    expect(await store.attempts.claim(claim('mig09', 9), soon)).toHaveLength(0);
    expect(await store.attempts.claim(claim('mig01', 9), soon)).toHaveLength(2);
    expect(await store.attempts.claim(claim('mig02', 9), soon)).toHaveLength(2);
    await program.queues.updateOne(
      { _id: 'insight1' as never },
      { $unset: { nodes_pin: '' }, $set: { nodes_ignore: ['mig03'] } },
    );
    expect(await store.attempts.claim(claim('mig03', 9), soon)).toHaveLength(0);
    expect(await store.attempts.claim(claim('mig04', 9), soon)).toHaveLength(2);
  });

  it('keeps its shape when its settings are changed', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE });
    const queue = await store.queues.find('default', 'insight1');
    if (!queue) throw new Error('No queue');

    await changeQueue(store, queue, { maxRunningPerNode: 7, nodesOnly: ['mig05'], priority: 3 });

    const document = await program.queues.findOne({ _id: 'insight1' as never });
    expect(document).toMatchObject({ class: QUEUE.class, maxthreads: 7, nodes_pin: ['mig05'] });
    expect(document).not.toHaveProperty('plugin');
    expect(document).not.toHaveProperty('threads');
    expect(await store.queues.find('default', 'insight1')).toMatchObject({
      priority: 3,
      maxRunningPerNode: 7,
    });
  });

  it('[DEN-45, DEN-46] is claimed once by nodes of either way, of Disbatch 4 and of ours', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE });
    for (let i = 0; i < 120; i++) await addOldTask();
    const seen: string[] = [];
    const run = async (next: () => Promise<readonly string[]>) => {
      for (;;) {
        const ids = await next();
        if (ids.length === 0) return;
        seen.push(...ids);
      }
    };
    const idOf = (task: AnyDocument | null) => (task ? [String(task._id)] : []);

    await Promise.all([
      run(async () => idOf(await program.claim('insight1', 'way-1'))),
      run(async () => idOf(await program.claimInTwoSteps('insight1', 'way-2'))),
      ...['mig01', 'mig02'].map((node) =>
        run(async () => {
          const claims = await store.attempts.claim(claim(node, 3), soon);
          await store.attempts.settle(
            'default',
            claims.map((one) => aSettlement(one)),
            soon,
          );
          return claims.map(({ taskId }) => taskId);
        }),
      ),
    ]);

    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  it('[DEN-49] and of Disbatch 4 live side by side in one database', async () => {
    await using store = await database.openEmpty();
    await program.queues.insertOne({ ...QUEUE });
    const queue = await program.addQueue();
    const ids = [await addOldTask(), await program.addTask(queue, { params: PARAMETERS })];

    const tasks = await store.tasks.peek('default', ids.map(String));

    expect(tasks.map((task) => task?.params)).toEqual([PARAMETERS, PARAMETERS]);
    expect(tasks.map((task) => task?.state)).toEqual(['queued', 'queued']);
  });

  it('a node that beats in that shape is a node', async () => {
    await using store = await database.openEmpty();
    const heartbeat = { datetime: LONG_AGO, pid: 34_182, queues: [] };
    const version = 'Disbatch.pl v2.0.2';
    await program.nodes.insertOne({ _id: 'mig01' as never, version, heartbeat });

    const node = await store.nodes.find('default', 'mig01');

    expect(node).toMatchObject({ name: 'mig01', version, pid: 34_182, heartbeatAt: LONG_AGO });
  });
});
