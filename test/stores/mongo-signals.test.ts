import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../src/core/store/index.ts';
import { addQueue, addTask, claimOne } from '../conformance/store/store-reading.ts';
import { aSettlement, at, NOON } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { disbatchProgram } from './disbatch-program.ts';
import { mongoDatabase } from './mongo-database.ts';

const database = mongoDatabase('replica-set');
const program = disbatchProgram(database.db);

describe('on a replica set, what one process does', () => {
  it('reaches the listeners of others, other namespaces too', async () => {
    await using here = await database.openEmpty();
    await using there = await database.open();
    const seen: StoreChange[] = [];
    using _listening = there.onChange((change) => seen.push(change));
    const queue = await addQueue(here, { namespace: 'other' });

    await eventually('a word of a task', async () => {
      await addTask(here, queue);
      return seen.length > 0;
    });

    expect(there.capabilities.pushesWakeups).toBe(true);
    expect(seen[0]).toEqual({ kind: 'ready', namespace: 'other', queueId: queue.id });
  });

  it('is told once where it happened', async () => {
    await using here = await database.openEmpty();
    const queue = await addQueue(here);
    await addTask(here, queue);
    const seen: StoreChange[] = [];
    using _listening = here.onChange((change) => seen.push(change));

    const claim = await claimOne(here, queue);
    await here.attempts.settle('default', [aSettlement(claim)], at(NOON));

    expect(seen.map(({ kind }) => kind)).toEqual(['ready', 'ended']);
  });

  it('a task that another program adds is heard of as well', async () => {
    await using here = await database.openEmpty();
    const queue = await program.addQueue();
    const seen: StoreChange[] = [];
    using _listening = here.onChange((change) => seen.push(change));

    await eventually('a word of a task', async () => {
      await program.addTask(queue);
      return seen.length > 0;
    });

    expect(seen[0]).toEqual({ kind: 'ready', namespace: 'default', queueId: String(queue) });
  });
});
