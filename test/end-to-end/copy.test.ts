import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHUNK_BYTES, seedStore } from '../cli/support/archive-seed.ts';
import { runProgram, startProgram } from '../cli/support/program.ts';
import { eventually } from '../support/eventually.ts';

const TASKS = Number(process.env.BATCHYARD_COPY_TASKS ?? 4000);
const IS_BIG = TASKS > 10_000;
const OUTPUTS = IS_BIG ? 5 : 1;
/** 40 MB each, when it is big. */
const CHUNKS = IS_BIG ? 153 : 20;
const TIMEOUT_MS = 900_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batchyard-copy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Looks into the file itself; shares no code with the product. */
function countRows(file: string, table: string): number {
  const db = new DatabaseSync(join(folder, file), { readOnly: true });
  try {
    const row = db.prepare(`select count(*) as count from ${table}`).get() as { count: number };
    return row.count;
  } finally {
    db.close();
  }
}

/** False while the file is being made, too. */
function hasBegun(): boolean {
  try {
    return countRows('to.db', 'tasks') > TASKS / 20;
  } catch {
    return false;
  }
}

describe('batchyard copy, killed once', () => {
  it(
    'goes on where it was, and ends with equal counts and hashes on both sides',
    async () => {
      await seedStore(join(folder, 'from.db'), { tasks: TASKS, outputs: OUTPUTS, chunks: CHUNKS });
      const argv = [
        'copy',
        '--from',
        'sqlite:from.db',
        '--to',
        'sqlite:to.db',
        '--drain',
        '--json',
      ];
      {
        await using killed = startProgram(argv, { cwd: folder });
        await eventually('some are there', () => hasBegun(), TIMEOUT_MS);
        killed.kill('SIGKILL');
        await killed.ended;
      }
      const before = countRows('to.db', 'tasks');
      expect(before).toBeLessThan(TASKS);

      const { code, out, err } = await runProgram(argv, { cwd: folder });

      expect(err.replace(/^(Copying|Checking|Waiting) .*\n/gm, '')).toBe('');
      const answer = JSON.parse(out);
      const digest = {
        tasks: TASKS,
        attempts: TASKS,
        outputBytes: OUTPUTS * CHUNKS * CHUNK_BYTES,
      };
      expect(answer).toMatchObject({
        ...{ put: TASKS - before, there: before, isSame: true },
        queues: [{ isSame: true, source: digest, destination: digest }],
      });
      const [{ source, destination }] = answer.queues;
      expect(destination.hash).toBe(source.hash);
      expect(code).toBe(0);
      for (const table of ['tasks', 'attempts', 'outputs']) {
        expect([table, countRows('to.db', table)]).toEqual([table, countRows('from.db', table)]);
      }
    },
    TIMEOUT_MS,
  );
});
