import { describe, expect, it } from 'vitest';
import type { Claim, Store } from '../../src/core/store/index.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  getTask,
  listTasks,
} from '../conformance/store/store-reading.ts';
import { aClaim, aNewTask, anEmission, aSettlement, at, NOON } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const tasks = database.db.collection('tasks');
const WITHIN_MS = 3000;

/** What the task's document holds between the write that ends it and the tasks it emits. */
async function settleAndDie(store: Store, claim: Claim, queueId: string): Promise<string> {
  const emission = anEmission(queueId);
  const settlement = aSettlement(claim, { emit: [emission] });
  const documents = await documentsDuring(async () => {
    await store.attempts.settle('default', [settlement], at(NOON));
  });
  const ended = documents.find((one) => one.batchyard.pending);
  if (!ended) throw new Error('Nothing was pending at any time.');
  await store.tasks.delete({ namespace: 'default', ids: [emission.task.id] }, at(NOON));
  await tasks.replaceOne({ _id: ended._id }, ended);
  return emission.task.id;
}

/** Every state that the first task's document is in while something runs. */
async function documentsDuring(run: () => Promise<void>) {
  let isOver = false;
  const seen: Awaited<ReturnType<typeof readFirst>>[] = [];
  const readFirst = () => tasks.findOne({ 'batchyard.pending': { $exists: true } });
  const reading = (async () => {
    while (!isOver) seen.push(await readFirst());
  })();
  await run();
  isOver = true;
  await reading;
  return seen.filter((one) => one !== null);
}

describe('a process that dies', () => {
  it('after it ended a task leaves its emissions to any other', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const claim = await addClaimed(store, queue);
    const emitted = await settleAndDie(store, claim, queue.id);

    await eventually(
      'the emitted task',
      async () => (await store.tasks.peek('default', [emitted]))[0],
      WITHIN_MS,
    );

    const pending = { 'batchyard.pending': { $exists: true } };
    await eventually('the mark gone', async () => (await tasks.countDocuments(pending)) === 0);
    expect((await getTask(store, claim.taskId)).state).toBe('succeeded');
  });

  it('in a submission leaves the rest of it to any other: all or none', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const intents = database.db.collection<{ _id: string }>('batchyard.intents');
    const three = [aNewTask(), aNewTask(), aNewTask({ key: Buffer.from('k') })];
    const seen: unknown[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) seen.push(await intents.findOne());
    })();
    for (let i = 0; i < 20 && !seen.some(Boolean); i++) {
      await addTask(store, queue, { key: Buffer.from(`other ${i}`) });
      await store.tasks.submit({ queueId: queue.id, tasks: three, onConflict: 'skip' }, at(NOON));
    }
    isOver = true;
    await reading;
    const intent = seen.find(Boolean) as { _id: string } | undefined;
    if (!intent) throw new Error('No intent was seen.');
    const ids = three.map(({ id }) => id);
    await store.tasks.delete({ namespace: 'default', ids: ids.slice(1) }, at(NOON));

    await intents.insertOne(intent);

    await eventually(
      'all three tasks',
      async () => (await store.tasks.peek('default', ids)).every((task) => task !== null),
      WITHIN_MS,
    );
    await eventually('the intent gone', async () => (await intents.countDocuments()) === 0);
  });

  it('after its claim gives the same tasks when the call is repeated', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    for (let i = 0; i < 3; i++) await addTask(store, queue);
    const request = aClaim({ queueId: queue.id, limit: 2, token: 'call-1' });
    const first = await store.attempts.claim(request, at(NOON));
    // It died before it could remember the call.
    await database.db.collection('batchyard.calls').deleteMany({});

    const again = await store.attempts.claim(request, at(NOON));

    expect(again.map(({ taskId }) => taskId).sort()).toEqual(first.map(({ taskId }) => taskId));
    expect(await listTasks(store, { states: ['queued'] })).toHaveLength(1);
  });

  it('under a lock frees it by time', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store, { maxRunning: 1 });
    await addTask(store, queue);
    const locks = database.db.collection<{ _id: string }>('batchyard.locks');
    const lockedUntil = new Date((await store.now()).getTime() + 300);
    await locks.insertOne({ _id: `queue:${queue.id}`, holder: 'dead', lockedUntil } as never);

    const claims = await store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON));

    expect(claims).toHaveLength(1);
    expect((await store.now()).getTime()).toBeGreaterThanOrEqual(lockedUntil.getTime());
  });

  it('while it deleted a queue leaves the name free and the rest to any other', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store, { name: 'work' });
    await addTask(store, queue);
    const queues = database.db.collection('queues');
    const gone = { name: 'batchyard.gone.x', 'batchyard.gone': 'delete', 'batchyard.name': 'work' };
    await queues.updateOne({ name: 'work' }, { $set: gone });

    await addQueue(store, { name: 'work' });

    expect(await listTasks(store)).toEqual([]);
    await eventually(
      'the document moved',
      async () => (await queues.countDocuments({ 'batchyard.gone': 'delete' })) === 0,
      WITHIN_MS,
    );
    expect(await store.queues.purge({ now: NOON, limit: 9 })).toBe(1);
  });
});
