import { type Finding, fine, problem, warning } from '../../core/store/index.ts';
import { STATES } from './codes.ts';
import type { Database } from './database.ts';
import { readMigrations } from './schema-migration.ts';

/** What `batchyard doctor` says of the schema and its server. */
export async function examineDatabase(database: Database): Promise<Finding[]> {
  return [
    await examineIndexes(database),
    await examineSettings(database),
    await examineBloat(database),
    await examineCounts(database),
    await examineVersions(database),
  ];
}

const VALID_INDEXES_SQL = `
  select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and i.indisvalid`;

async function examineIndexes(database: Database): Promise<Finding> {
  const rows = await database.look<{ name: string }>(VALID_INDEXES_SQL);
  const there = new Set(rows.map(({ name }) => name));
  const wanted = readMigrations()
    .join('\n')
    .matchAll(/^create (?:unique )?index (\w+)/gm);
  const missing = [...wanted].map(([, name = '']) => name).filter((name) => !there.has(name));
  if (missing.length === 0) return fine('indexes', 'All indexes are there.');
  return problem(
    'indexes',
    `Indexes are missing or not valid: ${missing.join(', ')}.`,
    'Make them again as they stand in the migrations of this version (create index concurrently).',
  );
}

/** Without these a crash may lose what was acknowledged. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];
const SETTINGS_SQL = `
  select name, setting from pg_settings where name = any(string_to_array($1, ','))`;

async function examineSettings(database: Database): Promise<Finding> {
  const rows = await database.look<{ name: string; setting: string }>(
    SETTINGS_SQL,
    [...DURABLE, 'autovacuum'].join(','),
  );
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name);
  const lost = off.filter((name) => DURABLE.includes(name));
  if (lost.length > 0) {
    const remedy = 'Set them to on in the server’s configuration.';
    return problem(
      'durability',
      `A crash may lose acknowledged tasks: ${lost.join(', ')} off.`,
      remedy,
    );
  }
  if (off.length > 0) {
    return warning('vacuum', 'autovacuum is off, so tables grow.', 'Set it to on.');
  }
  return fine('durability', 'What is acknowledged outlives a crash of the server.');
}

/** Fewer dead rows are nobody's concern. */
const MOST_DEAD = 200_000;
const BLOAT_SQL = `
  select relname as name, n_live_tup as live, n_dead_tup as dead from pg_stat_user_tables
  where schemaname = current_schema() order by n_dead_tup desc limit 1`;

async function examineBloat(database: Database): Promise<Finding> {
  const [row] = await database.look<{ name: string; live: number; dead: number }>(BLOAT_SQL);
  const { name = '', live = 0, dead = 0 } = row ?? {};
  const text = `Table ${name} has ${dead} dead rows beside ${live} live ones.`;
  if (Number(dead) < MOST_DEAD || Number(dead) < Number(live)) return fine('bloat', text);
  return warning(
    'bloat',
    text,
    'See which old transaction keeps them: select * from pg_stat_activity order by xact_start',
  );
}

const COLUMNS = STATES.map((_, code) => `coalesce(sum(s${code}), 0)::int8`).join(', ');
const COUNTED = STATES.map((_, code) => `count(*) filter (where t.state = ${code})`).join(', ');
const WRONG_COUNTS_SQL = `
  select q.name from queues q
  where q.fate < 2 and
    (select row (${COLUMNS}) from task_counts c where c.queue = q.row) is distinct from
    (select row (${COUNTED}) from tasks t where t.queue = q.row)
  order by q.name`;

/** Kept counters are worth what they are compared with, in one snapshot. */
async function examineCounts(database: Database): Promise<Finding> {
  const wrong = await database.list((tx) => tx.all<{ name: string }>(WRONG_COUNTS_SQL));
  if (wrong.length === 0) return fine('counts', 'Kept counts are those of the tasks.');
  const names = wrong.map(({ name }) => name).join(', ');
  return problem('counts', `Counts are wrong in ${names}.`, 'Please report this.');
}

const VERSIONS_SQL = `
  select current_setting('server_version') as server, version as schema from schema_version`;

async function examineVersions(database: Database): Promise<Finding> {
  const [row] = await database.look<{ server: string; schema: number }>(VERSIONS_SQL);
  return fine('versions', `PostgreSQL ${row?.server}, schema ${row?.schema}.`);
}
