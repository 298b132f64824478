import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openDatabaseInMemory } from '../../src/stores/sqlite/database-file.ts';
import { createFreshClaims } from '../../src/stores/sqlite/fresh-claims.ts';
import { readMigrations } from '../../src/stores/sqlite/schema-migration.ts';
import { createSession, loadCaches } from '../../src/stores/sqlite/session.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  changeQueue,
  claimOne,
} from '../conformance/store/store-reading.ts';
import { aSettlement, at, NOON } from '../support/builders.ts';

const CLAIM = { row: 1, queue: 1, state: 4, fence: 1, tryCount: 0, node: 1 };

describe('what a claim has just written', () => {
  it('is read again for a queue that has got keyed limits since', async () => {
    await using store = await openSqliteStore({ file: ':memory:', clock: systemClock });
    const queue = await addQueue(store);
    const claim = await addClaimed(store, queue, { params: { tenant: 'a' } });
    await changeQueue(store, queue, {
      limits: [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }],
    });

    await store.attempts.settle('default', [aSettlement(claim)], at(NOON));

    const next = await addTask(store, queue, { params: { tenant: 'a' } });
    expect(await claimOne(store, queue)).toMatchObject({ taskId: next });
  });

  it('is forgotten with a commit that failed', () => {
    const { db, close } = openDatabaseInMemory(readMigrations());
    const session = createSession(db);
    session.fresh.add('task', CLAIM);

    loadCaches(session);

    expect(session.fresh.take('task')).toBeNull();
    close();
  });

  it('is given once, and not kept for ever', () => {
    const fresh = createFreshClaims();
    fresh.add('first', CLAIM);
    expect(fresh.take('first')).toEqual(CLAIM);
    expect(fresh.take('first')).toBeNull();

    fresh.add('first', CLAIM);
    for (let count = 0; count < 100_000; count++) fresh.add(`task-${count}`, CLAIM);

    expect(fresh.take('first')).toBeNull();
    expect(fresh.take('task-99999')).toEqual(CLAIM);
  });
});
