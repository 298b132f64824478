import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/store/index.ts';
import { addQueue, addTask, claimOne, stateOf } from '../conformance/store/store-reading.ts';
import { aClaim, after, aSettlement, at, goTo, NOON, seconds } from '../support/builders.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const program = disbatchProgram(database.db);

const read = (id: string): Promise<Document> =>
  program.tasks.findOne({ $expr: { $eq: [{ $toString: '$_id' }, id] } }) as Promise<Document>;

async function settled(store: Store, outcome: 'succeeded' | 'failed', code: number | null) {
  const queue = await addQueue(store);
  const id = await addTask(store, queue);
  const claim = await claimOne(store, queue);
  const error = outcome === 'failed' ? 'it said so' : null;
  await store.attempts.settle('default', [aSettlement(claim, { outcome, code, error })], at(NOON));
  return read(id);
}

describe('the document of a task', () => {
  it('[D4-54, D4-58, D4-60, DEN-14] has its own ObjectId, the one of its queue, and the params as they were', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const params = { nested: { list: [1, 'two', { three: null }] }, flag: true };
    const ids = [await addTask(store, queue, { params }), await addTask(store, queue)];

    const [first, second] = await Promise.all(ids.map(read));

    expect(first?._id.toHexString()).toMatch(/^[0-9a-f]{24}$/);
    expect(second?._id.toHexString() > first?._id.toHexString()).toBe(true);
    expect(first?.params).toEqual(params);
    expect(await program.queues.findOne({ _id: first?.queue })).toMatchObject({ name: queue.name });
  });

  it('[D4-55, D4-56] keeps ctime, and has mtime and node of the last change', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const id = await addTask(store, queue);
    const seen = [await read(id)];
    const later = (count: number) => at(after(NOON, seconds(count)));

    const claim = await claimOne(store, queue, { start: false }, after(NOON, seconds(1)));
    seen.push(await read(id));
    await store.attempts.start('default', [claim], later(2));
    seen.push(await read(id));
    await store.attempts.settle('default', [aSettlement(claim)], later(3));
    seen.push(await read(id));

    expect(seen.map(({ ctime }) => ctime)).toEqual(Array(4).fill(NOON));
    const ages = seen.map(({ mtime }) => (mtime.getTime() - NOON.getTime()) / 1000);
    expect(ages).toEqual([0, 1, 2, 3]);
    expect(seen.map(({ node }) => node)).toEqual([null, 'node-1', 'node-1', 'node-1']);
  });

  it('[D4-57, D4-61, D4-62, D4-64, D4-65, D4-66, DEN-42] has an integer status for every state', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const statuses: Record<string, unknown> = {};
    const note = async (id: string) => {
      const { status } = await read(id);
      statuses[(await stateOf(store, id)) ?? ''] = status;
      const integer = { _id: (await read(id))._id, status: { $type: 'int' } };
      expect(await program.tasks.countDocuments(integer)).toBe(1);
    };

    const waiting = await addTask(store, queue);
    await note(waiting);
    const claim = await claimOne(store, queue, { start: false });
    await note(claim.taskId);
    await store.attempts.start('default', [claim], at(NOON));
    await note(claim.taskId);
    await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
    await note(claim.taskId);
    for (const [outcome, state] of [
      ['failed', 'failed'],
      ['orphaned', 'orphaned'],
      ['cancelled', 'terminated'],
    ] as const) {
      await addTask(store, queue);
      const { taskId, fence } = await claimOne(store, queue);
      const end = aSettlement({ taskId, fence }, { outcome, next: goTo(state) });
      await store.attempts.settle('default', [end], at(NOON));
      await note(taskId);
    }
    await note(await addTask(store, queue, { hold: 'operator' }));
    await note(await addTask(store, queue, { delayMs: 1000 }));
    const doomed = await addTask(store, queue);
    const move = { namespace: 'default', ids: [doomed], move: 'cancel' } as const;
    await store.tasks.move(move, at(NOON));
    await note(doomed);

    expect(statuses).toEqual({
      delayed: -7,
      orphaned: -6,
      cancelled: -5,
      held: -4,
      terminated: -3,
      queued: -2,
      claimed: -1,
      running: 0,
      succeeded: 1,
      failed: 2,
    });
  });

  it('[D4-67] shows a cancelled task as -5, a held one as -4, a running one that was stopped as -3', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const [cancelled, held] = [await addTask(store, queue), await addTask(store, queue)];
    const move = (id: string, wish: 'cancel' | 'hold') =>
      store.tasks.move({ namespace: 'default', ids: [id], move: wish }, at(NOON));
    await move(cancelled, 'cancel');
    await move(held, 'hold');
    const running = await addTask(store, queue);
    const claim = await claimOne(store, queue);
    await move(running, 'cancel');
    const stopped = aSettlement(claim, { outcome: 'cancelled', next: goTo('terminated') });
    await store.attempts.settle('default', [stopped], at(NOON));

    const documents = await Promise.all([cancelled, held, running].map(read));

    expect(documents.map(({ status }) => status)).toEqual([-5, -4, -3]);
  });

  it('[D4-68, DEN-43] shows a plugin’s own code where that says failure, and 2 otherwise', async () => {
    await using store = await database.openEmpty();

    expect((await settled(store, 'failed', 7)).status).toBe(7);
    expect((await settled(store, 'failed', 5)).status).toBe(5);
    for (const code of [0, -1, 1, null]) {
      const document = await settled(store, 'failed', code);
      expect(document).toMatchObject({ status: 2, batchyard: { error: 'it said so' } });
    }
    const [counts] = (await store.queues.counts('default', at(NOON))).map(({ counts }) => counts);
    expect(counts?.failed).toBe(1);
  });

  it('[D4-69] is not claimed at any other negative status, and is once that is -2', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const id = await addTask(store, queue);
    const set = (status: number) =>
      program.tasks.updateOne({ 'batchyard.rank': id }, { $set: { status } });
    const claim = () => store.attempts.claim(aClaim({ queueId: queue.id }), at(NOON));

    await set(-42);
    expect(await claim()).toEqual([]);
    expect(await stateOf(store, id)).toBe('held');
    await set(-2);

    expect(await claim()).toHaveLength(1);
  });
});

describe('what other programs do to a task of ours', () => {
  it('a foreign claim takes the lease from us: what we write then is lost', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store, { handler: 'Demo' });
    await addTask(store, queue);
    const claim = await claimOne(store, queue);
    await program.tasks.updateMany({}, { $set: { node: null, status: -2 } });
    const foreign = await program.claim(await queueObjectId(queue.name), 'perl-host');

    const answers = await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
    const renewed = await store.attempts.renew(
      'default',
      [{ ...claim, leaseMs: seconds(60) }],
      at(NOON),
    );

    expect(foreign).not.toBeNull();
    expect(answers).toMatchObject([{ status: 'lost', state: 'claimed' }]);
    expect(renewed).toMatchObject([{ status: 'lost' }]);
    expect(await read(claim.taskId)).toMatchObject({ node: 'perl-host', status: -1 });
  });

  it('a foreign end is an end: its status is the code', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store, { handler: 'Demo' });
    const id = await addTask(store, queue);
    const { _id } = (await program.claim(await queueObjectId(queue.name), 'perl-host')) ?? {};
    await program.finish(_id, 6);

    const task = await store.tasks.find('default', id, at(NOON));

    expect(task).toMatchObject({ state: 'failed', code: 6, attempt: null });
    expect(task?.endedAt).not.toBeNull();
  });
});

async function queueObjectId(name: string): Promise<unknown> {
  return (await program.queues.findOne({ name }))?._id;
}
