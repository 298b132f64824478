import pg from 'pg';
import type { Clock } from '../../core/store/index.ts';
import { type Place, toClientConfig, toLocalSettings, type Use } from './connection-options.ts';
import { isCollision, isConnectionLost, toUnavailable, unavailable } from './postgres-error.ts';
import type { SqlValue } from './sql-value.ts';

/** Runs statements, one after the other. */
export interface Statements {
  all<Row>(sql: string, ...values: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or null. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Promise<Row | null>;
  /** How many rows it touched. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
}

export interface Database {
  readonly label: string;
  readonly schema: string;
  /** One statement, which is a step by itself. Run again when the connection was lost, if `isRepeatable`. */
  step<Row>(sql: string, values: readonly SqlValue[], isRepeatable: boolean): Promise<Row[]>;
  /** One statement that only reads. */
  look: Statements['all'];
  /** Statements that only read, all of one moment, with plans of their own. */
  list<Answer>(read: (tx: Statements) => Promise<Answer>): Promise<Answer>;
  /** A transaction. `run` may be called again, from the start, when another one was in its way. */
  transact<Answer>(
    run: (tx: Transaction) => Promise<Answer>,
    options?: TransactOptions,
  ): Promise<Answer>;
  /** How many steps have been written here: what was read at another number may be old. */
  writeCount(): number;
  /** Throws when nothing is taken any more. */
  check(): void;
  close(): Promise<void>;
}

export interface Transaction extends Statements {
  /** Milliseconds since 1970, by the server's clock, at its beginning. */
  readonly startedAt: number;
}

export interface TransactOptions {
  /** Doing it twice is doing it once, so it may be run again after an unknown outcome. */
  readonly isRepeatable?: boolean;
}

export interface DatabaseOptions extends Place {
  readonly label: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly poolSize: number;
  /** A pooler between us and the server hands each transaction to another connection. */
  readonly isPooled: boolean;
}

const MOST_RUNS = 6;
/** After that the connection counts as lost. */
const LONGEST_STATEMENT_MS = 120_000;

export function createDatabase(options: DatabaseOptions): Database {
  const { label, clock, random, poolSize, isPooled, schema } = options;
  const stepPool = openPool('steps', poolSize);
  const listPool = openPool('lists', Math.max(2, Math.ceil(poolSize / 4)));
  const underWay = new Set<Promise<unknown>>();
  /** What went wrong before anything was sent: trying again is always safe then. */
  const unsent = new WeakSet<Error>();
  const closed = unavailable(`${label} was closed`, 'Open it again.');
  let closing: Promise<void> | null = null;
  let writes = 0;

  function openPool(use: Use, max: number): pg.Pool {
    const pool = new pg.Pool({
      ...toClientConfig(options, use, isPooled),
      max,
      query_timeout: LONGEST_STATEMENT_MS,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // An idle connection that breaks leaves the pool by itself; the next step opens another.
    pool.on('error', () => {});
    return pool;
  }

  function check(): void {
    if (closing !== null) throw closed;
  }

  async function tracked<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    check();
    const running = act();
    underWay.add(running);
    try {
      return await running;
    } finally {
      underWay.delete(running);
    }
  }

  /** Runs again what another transaction or a lost connection has stopped, where that is safe. */
  function again<Answer>(run: () => Promise<Answer>, isSafe: () => boolean): Promise<Answer> {
    return tracked(async () => {
      for (let runs = 1; ; runs++) {
        try {
          return await run();
        } catch (error) {
          const isLost = isConnectionLost(error);
          const isUnsent = error instanceof Error && unsent.has(error);
          const mayRun = isCollision(error) || (isLost && (isUnsent || isSafe()));
          if (runs === MOST_RUNS || !mayRun) throw toUnavailable(error, label) ?? error;
          // With jitter, so that many processes do not come back all at once.
          if (isLost || runs > 1) await clock.sleep(random() * 20 * 2 ** runs);
        }
      }
    });
  }

  async function withClient<Answer>(
    pool: pg.Pool,
    act: (client: pg.PoolClient) => Promise<Answer>,
  ): Promise<Answer> {
    const client = await pool.connect().catch((error: unknown) => {
      unsent.add(error as Error);
      throw error;
    });
    let failure: unknown = null;
    // Without a listener, a connection that breaks while it is idle in our hands ends the process.
    const onError = (error: Error): void => {
      failure = error;
    };
    client.on('error', onError);
    try {
      return await act(client);
    } catch (error) {
      if (isConnectionLost(error)) failure = error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(failure !== null);
    }
  }

  const noteWrite = (): void => {
    writes += 1;
  };

  const begin = (use: Use): string =>
    isPooled ? `begin; ${toLocalSettings(use, schema)}` : 'begin';

  async function single<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    if (isPooled) return inTransaction(stepPool, 'steps', (tx) => tx.all<Row>(sql, ...values));
    return withClient(stepPool, async (client) => (await execute(client, sql, values, true)).rows);
  }

  async function inTransaction<Answer>(
    pool: pg.Pool,
    use: Use,
    run: (tx: Transaction) => Promise<Answer>,
    onCommit: () => void = () => {},
  ): Promise<Answer> {
    return withClient(pool, async (client) => {
      const results = await client.query(`${begin(use)}; select now_ms() as now`);
      const last = (results as unknown as pg.QueryResult[]).at(-1);
      const startedAt = Number(last?.rows[0]?.now);
      try {
        const statements = toStatements(client, !isPooled && use === 'steps');
        const answer = await run({ ...statements, startedAt });
        onCommit();
        await client.query('commit');
        return answer;
      } catch (error) {
        if (!isConnectionLost(error)) await client.query('rollback');
        throw error;
      }
    });
  }

  return {
    label,
    schema,
    check,
    writeCount: () => writes,
    step: (sql, values, isRepeatable) =>
      again(
        () => single(sql, values),
        () => isRepeatable,
      ).finally(noteWrite) as Promise<never>,
    look: (sql, ...values) =>
      again(
        () => single(sql, values),
        () => true,
      ),
    list: (read) =>
      again(
        () => inTransaction(listPool, 'lists', read),
        () => true,
      ),
    transact(run, { isRepeatable = false } = {}) {
      let isInDoubt = false;
      return again(
        () =>
          inTransaction(stepPool, 'steps', run, () => {
            isInDoubt = true;
          }),
        () => isRepeatable || !isInDoubt,
      ).finally(noteWrite);
    },
    close() {
      closing ??= (async () => {
        await Promise.allSettled(underWay);
        await Promise.allSettled([stepPool.end(), listPool.end()]);
      })();
      return closing;
    },
  };
}

const names = new Map<string, string>();

/** Statements are few and are always the same texts, so each gets a name for good. */
function nameOf(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) {
    name = `b${names.size}`;
    names.set(sql, name);
  }
  return name;
}

function execute(
  client: pg.ClientBase,
  sql: string,
  values: readonly SqlValue[],
  isNamed: boolean,
): Promise<pg.QueryResult> {
  const named = isNamed ? { name: nameOf(sql) } : {};
  return client.query({ ...named, text: sql, values: [...values] });
}

function toStatements(client: pg.ClientBase, isNamed: boolean): Statements {
  return {
    all: async (sql, ...values) => (await execute(client, sql, values, isNamed)).rows,
    get: async (sql, ...values) => (await execute(client, sql, values, isNamed)).rows[0] ?? null,
    run: async (sql, ...values) => (await execute(client, sql, values, isNamed)).rowCount ?? 0,
  };
}
