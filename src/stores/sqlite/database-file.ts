import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Database, openDatabase } from './database.ts';
import { findNetworkMount, readMounts } from './network-mount.ts';
import { acquireOwnerLock, type OwnerLock } from './owner-lock.ts';
import { checkSchema, type Migrations, migrateSchema } from './schema-migration.ts';
import { toUnavailable, unavailable } from './sqlite-error.ts';

export interface OpenedFile {
  readonly db: Database;
  /** How it is called in messages. */
  readonly file: string;
  /** Lets the next owner have it. */
  close(): void;
}

const FULL = 2;
const LOG_PAGES = 4000;
const CACHE_SIZE = -16_384;

/** Opens a file as its only owner, on full durability, with the schema up to date. Throws STORE_UNAVAILABLE. */
export function openDatabaseFile(
  path: string,
  server: string | null,
  migrations: Migrations,
): OpenedFile {
  const file = findPlace(path);
  const lock = acquireOwnerLock(file, server);
  let db: Database | null = null;
  try {
    db = openDatabase(file);
    checkSchema(db, file, migrations);
    db.exec(`
      pragma busy_timeout = 5000;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma cache_size = ${CACHE_SIZE};
      pragma wal_autocheckpoint = ${LOG_PAGES};
      pragma temp_store = memory`);
    checkDurability(db, file);
    migrateSchema(db, file, migrations);
    growLog(db);
    return toOpened(db, file, lock);
  } catch (error) {
    db?.close();
    lock.release();
    throw toUnavailable(error, file) ?? error;
  }
}

/**
 * Makes the log as long as it gets before it is written from its start again. To sync a file that
 * grows takes half as long again. Pages that do not fit into the cache are written to the log before
 * their transaction ends, and stay there when it is taken back.
 */
function growLog(db: Database): void {
  db.exec(`
    pragma cache_size = 20;
    begin immediate;
    create table log_filler (bytes);
    insert into log_filler values (zeroblob(${LOG_PAGES * 4096}));
    rollback;
    pragma cache_size = ${CACHE_SIZE}`);
}

/** Nothing is kept; for tests and caches. */
export function openDatabaseInMemory(migrations: Migrations): OpenedFile {
  const db = openDatabase(':memory:');
  db.exec('pragma temp_store = memory');
  migrateSchema(db, null, migrations);
  return toOpened(db, 'the store in memory', null);
}

function toOpened(db: Database, file: string, lock: OwnerLock | null): OpenedFile {
  return {
    db,
    file,
    close() {
      tidy(db);
      db.close();
      lock?.release();
    },
  };
}

/**
 * Puts all into the one file and takes `-wal` and `-shm` away. SQLite would do so on closing, but
 * the library cannot end prepared statements, and with these the connection lingers.
 */
function tidy(db: Database): void {
  try {
    db.exec('pragma journal_mode = delete');
  } catch {
    // Somebody reads the file just now: it stays in three parts, and whole.
  }
}

/** The file's true path, so that a link to it leads to the same lock. */
function findPlace(path: string): string {
  const wanted = resolve(path);
  let directory: string;
  try {
    directory = realpathSync(dirname(wanted));
  } catch {
    throw unavailable(`there is no directory ${dirname(wanted)}`, 'Create it, or name another.');
  }
  let file = join(directory, basename(wanted));
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw unavailable(`${file} is a directory`, 'Name a file in it.');
  if (stats) file = realpathSync(file);

  const type = findNetworkMount(file, readMounts());
  if (type !== null) {
    throw unavailable(
      `${file} is on a network file system (${type}), which cannot keep it safe`,
      'Put it on a local disk, or use PostgreSQL.',
    );
  }
  return file;
}

/** The library opens a file that is in WAL mode with less than it is told for a new one, so look. */
function checkDurability(db: Database, file: string): void {
  const { journal_mode: journal } = db.get<{ journal_mode: string }>('pragma journal_mode') ?? {};
  const { synchronous } = db.get<{ synchronous: number }>('pragma synchronous') ?? {};
  if (journal === 'wal' && synchronous === FULL) return;
  throw unavailable(
    `${file} cannot be opened with full durability (journal ${journal}, synchronous ${synchronous})`,
    'Put it on a local disk of this machine.',
  );
}
