import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { addQueue, addTask } from '../conformance/store/store-reading.ts';
import { at, NOON } from '../support/builders.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

it('finds an index that is gone and a count that is wrong, and is content otherwise', async () => {
  const file = folder.newFile();
  const examine = async () => {
    await using store = await openSqliteStore({ file, clock: systemClock });
    const findings = await store.examine(at(NOON));
    return findings.filter(({ level }) => level !== 'fine').map(({ topic, text }) => [topic, text]);
  };
  {
    await using store = await openSqliteStore({ file, clock: systemClock });
    await addTask(store, await addQueue(store, { name: 'mail' }));
  }
  expect(await examine()).toEqual([]);

  const db = new DatabaseSync(file);
  db.exec('drop index tasks_open_idx; update queues set failed = 3');
  db.close();

  expect(await examine()).toEqual([
    ['indexes', 'Indexes are missing: tasks_open_idx.'],
    ['counts', 'Counts are wrong in mail.'],
  ]);
});
