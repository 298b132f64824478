import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type Place, toClientConfig } from './connection-options.ts';
import { isBehindPooler } from './pooler.ts';
import { unavailable } from './postgres-error.ts';

/** What follows from version n − 1: the nth is the nth file of migrations/. */
export type Migrations = readonly string[];

/**
 * Programs from this version on can work on a schema of the newest one: migrations only add. A
 * migration that old programs would not survive raises it.
 */
const OLDEST_READER = 1;

export function readMigrations(): Migrations {
  const folder = new URL('./migrations/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

export interface SchemaVersion {
  /** 0: there is no schema. */
  readonly version: number;
  readonly oldestReader: number;
}

/**
 * Makes the schema where there is none. Refuses one that is older than this program, newer than
 * it can work with, or another program's. Any number of processes may start at once.
 */
export function prepareSchema(
  place: Place,
  migrations: Migrations = readMigrations(),
): Promise<{ readonly isPooled: boolean }> {
  return withClient(place, async (client) => {
    const before = await readVersion(client, place.schema);
    const { version } = before.version === 0 ? await migrate(client, place, migrations) : before;
    checkVersion({ ...before, version }, place.schema, migrations.length);
    return { isPooled: await isBehindPooler(client) };
  });
}

/** Brings the schema up to date; says which versions it had and has. */
export function migrateSchema(
  place: Place,
  migrations: Migrations = readMigrations(),
): Promise<{ readonly from: number; readonly to: number }> {
  return withClient(place, async (client) => {
    const before = await readVersion(client, place.schema);
    const { version } = await migrate(client, place, migrations);
    return { from: before.version, to: version };
  });
}

/** What `migrateSchema` would do: the statements of each version to come. */
export function planSchema(
  place: Place,
  migrations: Migrations = readMigrations(),
): Promise<{ readonly from: number; readonly to: number; readonly sql: readonly string[] }> {
  return withClient(place, async (client) => {
    const { version } = await readVersion(client, place.schema);
    return { from: version, to: migrations.length, sql: migrations.slice(version) };
  });
}

function checkVersion(found: SchemaVersion, schema: string, known: number): void {
  if (found.version < known) {
    throw unavailable(
      `schema "${schema}" is at version ${found.version}, and this program needs ${known}`,
      'Bring it up to date: batchyard migrate',
    );
  }
  if (found.oldestReader > known) {
    throw unavailable(
      `schema "${schema}" was changed by a newer Batchyard (schema ${found.version}, this one knows ${known})`,
      'Install that version.',
    );
  }
}

/** On a connection without settings of ours, which a pooler would refuse. */
async function withClient<Answer>(
  place: Place,
  act: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client(toClientConfig(place, 'lists', true));
  client.on('error', () => {});
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

const VERSION_SQL = 'select version, oldest_reader as "oldestReader" from SCHEMA.schema_version';

// One statement: between two, another process may have made the schema.
const FIND_SQL = `
  select to_regclass($1) is not null as "isOurs", exists (
    select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $2) as "isUsed"`;

async function readVersion(client: pg.Client, schema: string): Promise<SchemaVersion> {
  const quoted = pg.escapeIdentifier(schema);
  const { rows: found } = await client.query(FIND_SQL, [`${quoted}.schema_version`, schema]);
  const { isOurs, isUsed } = found[0] ?? {};
  if (isOurs) {
    const { rows } = await client.query<SchemaVersion>(VERSION_SQL.replace('SCHEMA', quoted));
    return rows[0] ?? { version: 0, oldestReader: 0 };
  }
  if (isUsed) {
    throw unavailable(
      `schema "${schema}" holds the tables of another program`,
      'Name another schema.',
    );
  }
  return { version: 0, oldestReader: 0 };
}

/** All in one transaction, under a lock: of several processes one does it, the others find it done. */
async function migrate(
  client: pg.Client,
  { schema }: Place,
  migrations: Migrations,
): Promise<SchemaVersion> {
  const quoted = pg.escapeIdentifier(schema);
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('batchyard.migrate'))");
    const { version } = await readVersion(client, schema);
    if (version < migrations.length) {
      await client.query(
        `create schema if not exists ${quoted}; set local search_path = ${quoted}`,
      );
      if (version === 0) {
        await client.query(`
          create table schema_version (version int4 not null, oldest_reader int4 not null);
          insert into schema_version values (0, 0)`);
      }
      for (const sql of migrations.slice(version)) await client.query(sql);
      await client.query('update schema_version set version = $1, oldest_reader = $2', [
        migrations.length,
        OLDEST_READER,
      ]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
  return readVersion(client, schema);
}
