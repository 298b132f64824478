import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { createFolder } from './server-process.mjs';

/** No server: each place is a file in a folder of its own. */
export async function openSqliteFolder() {
  const db = new DatabaseSync(':memory:');
  const { version } = db.prepare('select sqlite_version() as version').get();
  db.close();
  return {
    version: `SQLite ${version}`,
    pid: 0,
    async createPlace() {
      const folder = createFolder('sqlite');
      const file = join(folder, 'bench.db');
      return {
        place: { file, url: `sqlite:${file}` },
        remove: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    stop: async () => {},
  };
}
