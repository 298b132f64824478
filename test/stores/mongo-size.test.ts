import { describe, expect, it } from 'vitest';
import {
  addQueue,
  addTask,
  claimOne,
  listAttempts,
  listTasks,
} from '../conformance/store/store-reading.ts';
import { aNewTask, anEmission, aSettlement, at, NOON } from '../support/builders.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('standalone');
const MEGABYTE = 'x'.repeat(1_000_000);

describe('a document holds 16 MB, but', () => {
  it('a task may have more and larger attempts than that', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const id = await addTask(store, queue);
    for (let number = 1; number <= 20; number++) {
      const claim = await claimOne(store, queue);
      const end = aSettlement(claim, { outcome: 'released', data: `${number} ${MEGABYTE}` });
      const answers = await store.attempts.settle('default', [end], at(NOON));
      expect(answers).toMatchObject([{ status: 'applied' }]);
    }

    const attempts = await listAttempts(store, id);
    const byNode = { node: 'node-1', live: false, after: null, limit: 100 };
    const page = await store.attempts.listByNode('default', byNode, at(NOON));

    expect(attempts.map(({ fence }) => fence)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(attempts.every(({ data, fence }) => data === `${fence} ${MEGABYTE}`)).toBe(true);
    expect(page.items).toHaveLength(20);
  });

  it('an attempt that was moved out of it can still be repeated, and have one late word', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    const id = await addTask(store, queue);
    const claims = [];
    for (let number = 1; number <= 30; number++) {
      const claim = await claimOne(store, queue);
      claims.push(claim);
      const released = aSettlement(claim, { outcome: 'released' });
      await store.attempts.settle('default', [released], at(NOON));
    }
    const [first = { taskId: '', fence: 0 }] = claims;
    const say = async (outcome: 'released' | 'failed' | 'succeeded') => {
      const [answer] = await store.attempts.settle(
        'default',
        [aSettlement(first, { outcome, data: outcome })],
        at(NOON),
      );
      return answer?.status;
    };

    const said = [await say('released'), await say('failed'), await say('failed')];

    expect([...said, await say('succeeded')]).toEqual(['repeated', 'late', 'repeated', 'lost']);
    expect((await listAttempts(store, id))[0]?.late).toMatchObject({ data: 'failed' });
  });

  it('a task may emit more than that', async () => {
    await using store = await database.openEmpty();
    const queue = await addQueue(store);
    await addTask(store, queue);
    const claim = await claimOne(store, queue);
    const emit = Array.from({ length: 20 }, () =>
      anEmission(queue.id, { task: aNewTask({ params: MEGABYTE }) }),
    );

    const answers = await store.attempts.settle(
      'default',
      [aSettlement(claim, { emit })],
      at(NOON),
    );

    expect(answers).toMatchObject([{ status: 'applied' }]);
    expect(await listTasks(store, { states: ['queued'] })).toHaveLength(20);
    expect(await database.db.collection('batchyard.emissions').countDocuments()).toBe(0);
  });
});
