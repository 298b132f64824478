import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/index.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { eventually } from '../support/eventually.ts';
import { openScriptFolder } from './script-folder.ts';
import { openYard } from './yard.ts';

const TASKS = 3000;

it('two nodes drain a queue on SQLite: each task runs once, and ends are told in batches', async () => {
  using folder = openScriptFolder();
  const store = await openSqliteStore({ file: join(folder.path, 'yard.db'), clock: systemClock });
  await using yard = await openYard(systemClock, store);
  await yard.engine.queues.create('work');
  await yard.engine.tasks.submit(
    'work',
    Array.from({ length: TASKS }, (_, n) => ({ params: n })),
  );
  const seen: number[] = [];
  const handlers = { work: async (n: number) => void seen.push(n) };

  await yard.startNode({ name: 'node-1', slots: 10, handlers });
  await yard.startNode({ name: 'node-2', slots: 10, handlers });
  await eventually('all succeeded', async () => {
    return (await yard.engine.queues.countsOf('work')).succeeded === TASKS;
  });

  expect(seen.length).toBe(TASKS);
  expect(new Set(seen).size).toBe(TASKS);
  expect(yard.line.callsOf('attempts.settle').length).toBeLessThan(TASKS / 10);
});
