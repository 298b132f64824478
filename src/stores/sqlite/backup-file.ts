import { renameSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from '@photostructure/sqlite';
import { openDatabase } from './database.ts';
import { checkSchema, readMigrations } from './schema-migration.ts';
import { toUnavailable, unavailable } from './sqlite-error.ts';

export interface FileBackup {
  readonly from: string;
  readonly to: string;
  /** The share that is done. */
  readonly onProgress: (part: number) => void;
}

const PAGES_AT_ONCE = 1000;

/**
 * Copies a store's file as it is at one instant, whoever owns it and writes to it meanwhile.
 * The copy has its name only when it is whole. Throws STORE_UNAVAILABLE.
 */
export async function backUpFile({ from, to, onProgress }: FileBackup): Promise<void> {
  if (!statSync(from, { throwIfNoEntry: false })?.isFile()) {
    throw unavailable(`there is no file ${from}`, 'Name the file of a store.');
  }
  const part = `${to}.part`;
  rmSync(part, { force: true });
  try {
    checkOurs(from);
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      // One reading transaction around all: without it every write of the owner begins the copy anew.
      source.exec('begin; select 1 from sqlite_schema');
      await backup(source, part, {
        rate: PAGES_AT_ONCE,
        progress: ({ totalPages, remainingPages }) =>
          onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
      });
    } finally {
      source.close();
    }
    settle(part);
    renameSync(part, to);
  } catch (error) {
    rmSync(part, { force: true });
    throw toUnavailable(error, from) ?? error;
  }
}

function checkOurs(file: string): void {
  const db = openDatabase(file, { readOnly: true });
  try {
    checkSchema(db, file, readMigrations());
  } finally {
    db.close();
  }
}

/** The copy came in WAL mode as its source was; alone it is one file. */
function settle(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('pragma journal_mode = delete');
  } finally {
    copy.close();
  }
}
