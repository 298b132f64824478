/** A database on a disk that fills up, and gets room again. Needs root: it mounts a small file system in memory. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startLoad } from '../end-to-end/support/load.ts';
import { audit } from '../end-to-end/support/load-audit.ts';
import { startMongod } from '../support/databases/mongo.ts';
import { startPostgres } from '../support/databases/postgres-server.ts';

const SIZE_MB = 400;
const FULL_MS = 5000;

/** A small disk; what is started meanwhile puts its data there. */
async function onSmallDisk(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=1777`, 'tmpfs', folder]);
  try {
    await run(folder);
  } finally {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Takes all the room that is left. */
function fill(file: string): void {
  const out = openSync(file, 'w');
  try {
    for (const size of [1024 * 1024, 4096]) {
      const bytes = Buffer.alloc(size, 'x');
      try {
        for (;;) writeSync(out, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(out);
  }
}

describe.each([
  ['PostgreSQL', (folder: string) => startPostgres([], folder)],
  ['MongoDB', (folder: string) => startMongod('standalone', folder)],
])('%s on a disk that fills up', (_, open) => {
  it(
    'loses no acknowledged task, and work goes on when there is room',
    () =>
      onSmallDisk(async (folder) => {
        const database = await open(folder);
        try {
          const store = database.url.replace('/?', '/yard?');
          await using load = await startLoad({ store });
          await load.untilRun(100);
          const ballast = join(folder, 'ballast');
          fill(ballast);
          const before = load.acknowledged.size;
          await new Promise((resolve) => setTimeout(resolve, FULL_MS));
          expect(before).toBeGreaterThan(0);

          rmSync(ballast);
          // A server that gave up is started again, as its service manager would.
          await database.crash();
          await database.start();

          await load.untilRun(100, 30_000);
          await audit(load);
        } finally {
          await database.stop();
        }
      }),
    240_000,
  );
});
