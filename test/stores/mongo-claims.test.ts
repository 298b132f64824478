import { MongoClient, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { aClaim, aNewTask, aSettlement, at, NOON } from '../support/builders.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);
const soon = { now: null };

describe('a claim on documents of other programs', () => {
  it('[D4-33] sets status -1 and the node, and gives the task', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue();
    const id = await program.addTask(queue);

    const [claim] = await store.attempts.claim(
      aClaim({ queueId: String(queue), node: 'host-1', start: false }),
      soon,
    );

    expect(claim).toMatchObject({ taskId: String(id), params: { n: 1 }, fence: 1 });
    expect(await program.get(id)).toMatchObject({ status: -1, node: 'host-1' });
  });

  it('[D4-38] takes only tasks of status -2 whose node is null', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue();
    await program.addTask(queue, { node: 'somebody' });
    await program.addTask(queue, { status: -7 });
    await program.addTask(queue, { status: -42 });
    await program.addTask(new ObjectId());
    const free = await program.addTask(queue);

    const claims = await store.attempts.claim(aClaim({ queueId: String(queue), limit: 9 }), soon);

    expect(claims.map(({ taskId }) => taskId)).toEqual([String(free)]);
  });

  it('[D4-39] changes, of Disbatch’s fields, only node, status and mtime', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue();
    const id = await program.addTask(queue, { note: 'of the plugin' });
    const { batchyard: _, ...before } = await program.get(id);

    await store.attempts.claim(aClaim({ queueId: String(queue), start: false }), at(NOON));

    const { batchyard: ours, ...after } = await program.get(id);
    expect(after).toEqual({ ...before, node: 'node-1', status: -1, mtime: NOON });
    expect(ours).toBeDefined();
  });

  it('[D4-63] never leaves a task at -1 without a node, whoever looks meanwhile', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue({ threads: 1000 });
    const queueId = String(queue);
    for (let i = 0; i < 50; i++) await program.addTask(queue);
    let isOver = false;
    const looks = (async () => {
      let found = 0;
      while (!isOver) found += await program.tasks.countDocuments({ status: -1, node: null });
      return found;
    })();

    for (let i = 0; i < 10; i++) {
      const claims = await store.attempts.claim(aClaim({ queueId, limit: 5, start: false }), soon);
      await store.attempts.settle(
        'default',
        claims.slice(0, 2).map((claim) => aSettlement(claim, { outcome: 'released' })),
        soon,
      );
    }
    isOver = true;

    expect(await looks).toBe(0);
  });

  it('[D4-40, D4-50] of a fifo queue goes by _id, oldest first; of a lifo queue newest first', async () => {
    await using store = await database.openEmpty();
    for (const sort of ['fifo', 'lifo']) {
      const queue = await program.addQueue({ sort, threads: 1 });
      const ids: string[] = [];
      for (let i = 0; i < 10; i++) ids.push(String(await program.addTask(queue)));
      const expected = sort === 'fifo' ? ids.toSorted() : ids.toSorted().toReversed();

      const claimed: string[] = [];
      for (const _ of ids) {
        const claims = await store.attempts.claim(
          aClaim({ queueId: String(queue), limit: 3 }),
          soon,
        );
        claimed.push(...claims.map(({ taskId }) => taskId));
        await store.attempts.settle(
          'default',
          claims.map((claim) => aSettlement(claim)),
          soon,
        );
      }

      expect(claimed).toEqual(expected);
    }
  });

  it('[D4-51] of a queue without sort drains it', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue();
    for (let i = 0; i < 5; i++) await program.addTask(queue);

    const claims = await store.attempts.claim(aClaim({ queueId: String(queue), limit: 9 }), soon);

    expect(claims).toHaveLength(5);
  });

  it('[D4-41] needs neither findOneAndUpdate nor findAndModify of the server', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue({ threads: null, batchyard: { unlimited: true } });
    await program.addTask(queue);
    const client = new MongoClient(database.url);
    const profiled = client.db(database.db.databaseName);
    await profiled.setProfilingLevel('all');

    const claims = await store.attempts.claim(aClaim({ queueId: String(queue) }), soon);

    await profiled.setProfilingLevel('off');
    const commands = await profiled
      .collection('system.profile')
      .distinct('command.findAndModify', { ns: `${profiled.databaseName}.tasks` });
    await profiled.collection('system.profile').drop();
    await client.close();
    expect(claims).toHaveLength(1);
    expect(commands).toEqual([]);
  });

  it('mixes tasks of ours and of others by priority, then by age', async () => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue({ threads: 100 });
    const queueId = String(queue);
    const submit = async (priority: number) => {
      const task = aNewTask({ id: String(new ObjectId()), priority });
      const rank = Buffer.from(task.id, 'hex');
      const tasks = [{ ...task, rank }];
      await store.tasks.submit({ queueId, tasks, onConflict: 'refuse' }, soon);
      return task.id;
    };
    const low = await submit(-1);
    const first = String(await program.addTask(queue));
    const second = await submit(0);
    const third = String(await program.addTask(queue));
    const high = await submit(1);

    const claims = [];
    for (let i = 0; i < 3; i++) {
      claims.push(...(await store.attempts.claim(aClaim({ queueId, limit: 2 }), soon)));
    }

    expect(claims.map(({ taskId }) => taskId)).toEqual([high, first, second, third, low]);
  });

  it.each(['4', 4])('counts threads of %j and the tasks that others run', async (threads) => {
    await using store = await database.openEmpty();
    const queue = await program.addQueue({ threads });
    for (let i = 0; i < 9; i++) await program.addTask(queue);
    await program.claim(queue, 'perl-host');

    const claims = await store.attempts.claim(aClaim({ queueId: String(queue), limit: 9 }), soon);

    expect(claims).toHaveLength(3);
    expect((await program.queues.findOne({ _id: queue }))?.threads).toBe(threads);
  });

  it('takes nothing of a queue whose threads are null or missing', async () => {
    await using store = await database.openEmpty();
    for (const threads of [null, undefined]) {
      const queue = await program.addQueue({ threads });
      await program.addTask(queue);

      expect(await store.attempts.claim(aClaim({ queueId: String(queue) }), soon)).toEqual([]);
    }
  });
});
