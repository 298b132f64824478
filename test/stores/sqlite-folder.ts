import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the database files of one test file, gone when its tests are over. */
export function sqliteFolder(): { newFile(): string } {
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-sqlite-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return {
    newFile() {
      count += 1;
      return join(folder, `${count}.db`);
    },
  };
}
