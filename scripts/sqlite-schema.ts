import { openDatabaseInMemory } from '../src/stores/sqlite/database-file.ts';
import { dumpSchema, readMigrations } from '../src/stores/sqlite/schema-migration.ts';

/** The schema that all migrations of the SQLite store make together. */
export async function makeSqliteSchema(): Promise<string> {
  const { db } = openDatabaseInMemory(readMigrations());
  const schema = dumpSchema(db);
  db.close();
  return `-- Made from migrations/ by \`npm run generate\`.\n${schema}`;
}
