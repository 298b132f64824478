import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { Database } from './database.ts';
import { unavailable } from './sqlite-error.ts';

/** What follows from version n − 1: the nth is the nth file of migrations/. */
export type Migrations = readonly string[];

/** "ByRd": says in the file's header whose it is. */
const APPLICATION_ID = 0x42795264;

export function readMigrations(): Migrations {
  const folder = new URL('./migrations/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

/** Refuses a database that is another program's or newer than we are, before anything is written. */
export function checkSchema(db: Database, file: string, migrations: Migrations): void {
  const version = versionOf(db);
  const isOurs = pragma(db, 'application_id') === APPLICATION_ID;
  const isEmpty = db.get('select 1 from sqlite_schema limit 1') === undefined;
  if (!isOurs && !isEmpty) {
    throw unavailable(
      `${file} is the SQLite database of another program`,
      'Name another file, or one that does not exist yet.',
    );
  }
  if (version > migrations.length) {
    throw unavailable(
      `${file} was written by a newer Batchyard (schema ${version}, this one knows ${migrations.length})`,
      'Install that version, or name another file.',
    );
  }
}

/**
 * Brings the schema up to date, one version per commit. A file that had an older one is first
 * copied to `FILE.schema-N`; null keeps no copy.
 */
export function migrateSchema(db: Database, file: string | null, migrations: Migrations): void {
  const before = versionOf(db);
  if (before >= migrations.length) return;
  if (before > 0 && file !== null) keepCopy(db, `${file}.schema-${before}`);
  for (const [index, sql] of migrations.entries()) {
    if (index < before) continue;
    db.exec('begin immediate');
    try {
      db.exec(sql);
      db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${index + 1}`);
      db.exec('commit');
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  }
}

/** The schema as SQLite has it, in order of making: what schema.sql holds. */
export function dumpSchema(db: Database): string {
  const statements = db.all<{ sql: string }>(
    "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid",
  );
  return statements.map(({ sql }) => `${sql};\n`).join('');
}

function keepCopy(db: Database, path: string): void {
  const fresh = `${path}.making`;
  rmSync(fresh, { force: true });
  db.run('vacuum into ?', fresh);
  renameSync(fresh, path);
}

function versionOf(db: Database): number {
  return pragma(db, 'user_version');
}

function pragma(db: Database, name: string): number {
  return db.get<Record<string, number>>(`pragma ${name}`)?.[name] ?? 0;
}
