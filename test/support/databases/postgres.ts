import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { systemRandom } from '../../../src/core/random.ts';
import type { Clock, Store } from '../../../src/core/store/index.ts';
import { systemClock } from '../../../src/core/store/index.ts';
import { openPostgresStore, type PostgresOptions } from '../../../src/stores/postgres/store.ts';

export interface TestPostgres {
  /** A store that is fresh and empty; its schema is used again once it is closed. */
  open(options?: Partial<PostgresOptions>): Promise<Store>;
  /** A schema that is there and empty, until the tests of the file have ended. */
  takeSchema(): Promise<string>;
  query<Row>(sql: string): Promise<Row[]>;
  readonly url: string;
}

let count = 0;

/** Schemas of one test file: made when needed, emptied between tests, dropped at the end. */
export function testPostgres(): TestPostgres {
  const url = inject('postgresUrl');
  const free: string[] = [];
  const all: string[] = [];
  const client = new pg.Client({ connectionString: url });
  const connected = client.connect();

  async function query<Row>(sql: string): Promise<Row[]> {
    await connected;
    return (await client.query(sql)).rows as Row[];
  }

  async function takeSchema(): Promise<string> {
    const used = free.pop();
    if (used) {
      await query(emptying(used));
      return used;
    }
    count += 1;
    const schema = `test_${process.pid}_${count}`;
    all.push(schema);
    return schema;
  }

  afterAll(async () => {
    for (const schema of all) await query(`drop schema if exists ${schema} cascade`);
    await client.end();
  });

  return {
    url,
    query,
    takeSchema,
    async open({ clock = systemClock as Clock, poolSize = 3, ...options } = {}) {
      const schema = options.schema ?? (await takeSchema());
      const store = await openPostgresStore({
        url,
        clock,
        random: systemRandom,
        poolSize,
        ...options,
        schema,
      });
      const close = async () => {
        await store.close();
        if (!options.schema && !free.includes(schema)) free.push(schema);
      };
      return { ...store, close, [Symbol.asyncDispose]: close };
    },
  };
}

const TABLES = [
  'namespaces',
  'queues',
  'nodes',
  'tasks',
  'attempts',
  'outputs',
  'task_counts',
  'claims',
  'limit_starts',
  'leases',
  'tokens',
  'answers',
];

/** Far quicker than TRUNCATE, for there are few rows. */
function emptying(schema: string): string {
  return TABLES.map((table) => `delete from ${schema}.${table}`).join('; ');
}
