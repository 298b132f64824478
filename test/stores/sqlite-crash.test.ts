import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { fromStateCode } from '../../src/stores/sqlite/codes.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { addQueue, expectExactCounts } from '../conformance/store/store-reading.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const folder = sqliteFolder();

describe('kill -9', () => {
  it('loses nothing that was acknowledged, and leaves every counter exact', async () => {
    const file = folder.newFile();
    const queue = await inStore(file, (store) => addQueue(store));
    const submitted: string[] = [];
    const succeeded: string[] = [];

    for (const lineCount of [1, 150, 400]) {
      for (const line of await runAndKill(file, queue.id, lineCount)) {
        (line.startsWith('+') ? submitted : succeeded).push(line.slice(1));
      }

      await inStore(file, async (store) => {
        const now = await store.now();
        const kept = await store.tasks.peek('default', submitted);
        expect(kept.filter((task) => task === null)).toEqual([]);
        const ended = await store.tasks.peek('default', succeeded);
        expect(ended.filter((task) => task?.state !== 'succeeded')).toEqual([]);
        await expectExactCounts(store, now);
        const [counts] = await store.queues.counts('default', { now });
        expect(withoutZeros(counts?.counts)).toEqual(countRows(file));
      });
    }
    expect(succeeded.length).toBeGreaterThan(0);
  });
});

async function inStore<Answer>(
  file: string,
  act: (store: Awaited<ReturnType<typeof openSqliteStore>>) => Promise<Answer>,
): Promise<Answer> {
  await using store = await openSqliteStore({ file, clock: systemClock });
  return await act(store);
}

/** Tasks by state, as another connection counts them: lists rely on the counters themselves. */
function countRows(file: string): Record<string, number> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('select state, count(*) as count from tasks group by state').all();
  db.close();
  return Object.fromEntries(rows.map(({ state, count }) => [fromStateCode(state), count]));
}

function withoutZeros(counts: Readonly<Record<string, number>> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Whole lines of what the process acknowledged until it was killed, which is after so many. */
async function runAndKill(file: string, queueId: string, lineCount: number): Promise<string[]> {
  const script = new URL('./sqlite-crash-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--import', 'tsx', script, file, queueId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^[+!][0-9a-f]{24}$/.test(line)) lines.push(line);
    if (lines.length === lineCount) child.kill('SIGKILL');
  }
  await gone;
  expect(lines.length).toBeGreaterThanOrEqual(lineCount);
  return lines;
}
