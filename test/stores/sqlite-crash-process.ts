/**
 * Submits, claims and settles without end on a SQLite file. What the store acknowledged is
 * written to stdout, a line each, after it was: `+ID` submitted, `!ID` succeeded.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/core/clock.ts';
import { createIdSource } from '../../src/core/domain/ids.ts';
import { systemRandom } from '../../src/core/random.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { aClaim, aNewTask, aSettlement } from '../support/builders.ts';

const [, , file = '', queueId = ''] = process.argv;
const store = await openSqliteStore({ file, clock: systemClock });
const ids = createIdSource(systemClock, systemRandom);
const step = { now: null };
const say = (lines: readonly string[]) => writeSync(1, lines.map((line) => `${line}\n`).join(''));

async function submitWithoutEnd(): Promise<never> {
  for (;;) {
    const tasks = [aNewTask({ id: ids.next() }), aNewTask({ id: ids.next() })];
    await store.tasks.submit({ queueId, tasks, onConflict: 'refuse' }, step);
    say(tasks.map(({ id }) => `+${id}`));
  }
}

async function workWithoutEnd(node: string): Promise<never> {
  for (;;) {
    const claims = await store.attempts.claim(aClaim({ queueId, node, limit: 5 }), step);
    const answers = await store.attempts.settle(
      'default',
      claims.map((claim) => aSettlement(claim)),
      step,
    );
    say(answers.filter(({ status }) => status === 'applied').map(({ taskId }) => `!${taskId}`));
  }
}

await Promise.all([
  submitWithoutEnd(),
  submitWithoutEnd(),
  submitWithoutEnd(),
  workWithoutEnd('node-1'),
  workWithoutEnd('node-2'),
]);
