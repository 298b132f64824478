/** Submissions as part of a transaction that the caller has open on our database. */
import type { Submission, SubmitAnswer } from '../../core/store/index.ts';
import { TYPES } from './connection-options.ts';
import type { Statements, Transaction } from './database.ts';

/** What is used of a caller's connection: `query` of a client of `pg`. */
interface Connection {
  query(config: object): Promise<{ readonly rows: never[]; readonly rowCount: number | null }>;
}

export type JoinedAnswer = SubmitAnswer | { readonly status: 'invalid'; readonly problem: string };

const LOOK_SQL = `
  select current_setting('search_path') as path, to_regclass($1) is not null as "isThere"`;
const SET_SQL = `
  select set_config('search_path', $1, true), set_config('batchyard.tx', $2, true)`;
const CHECK_SQL = `
  select current_setting('batchyard.tx', true) = 'on' as "isOpen", now_ms() as now`;

export async function joinTransaction(
  given: unknown,
  schema: string,
  run: (tx: Transaction) => Promise<SubmitAnswer>,
): Promise<JoinedAnswer> {
  if (!isConnection(given)) {
    return { status: 'invalid', problem: 'it is no client of pg' };
  }
  const db = toStatements(given);
  const own = `"${schema}"`;
  const before = await db.get<{ path: string; isThere: boolean }>(
    LOOK_SQL,
    `${own}.schema_version`,
  );
  if (!before?.isThere) {
    return { status: 'invalid', problem: 'it is connected to another database' };
  }
  await db.run(SET_SQL, own, 'on');
  const check = await checkOpen(db, own);
  if (check === null) return { status: 'invalid', problem: 'no transaction is open on it' };
  const answer = await run({ ...db, startedAt: check.now });
  await db.run(SET_SQL, before.path, 'off');
  return answer;
}

/** What was set for the transaction is gone with the next statement where there is none. */
async function checkOpen(db: Statements, own: string): Promise<{ readonly now: number } | null> {
  const sql = CHECK_SQL.replace('now_ms', `${own}.now_ms`);
  const check = await db.get<{ isOpen: boolean; now: number }>(sql);
  return check?.isOpen ? check : null;
}

function isConnection(given: unknown): given is Connection {
  return (
    typeof given === 'object' &&
    given !== null &&
    'query' in given &&
    typeof given.query === 'function'
  );
}

function toStatements(connection: Connection): Statements {
  const execute = (text: string, values: readonly unknown[]) =>
    connection.query({ text, values, types: TYPES });
  return {
    all: async (sql, ...values) => (await execute(sql, values)).rows,
    get: async (sql, ...values) => (await execute(sql, values)).rows[0] ?? null,
    run: async (sql, ...values) => (await execute(sql, values)).rowCount ?? 0,
  };
}

/** Wakes those who wait for work in the queue, when the caller commits. */
export async function tellReady(db: Statements, { queueId }: Submission): Promise<void> {
  await db.run('select tell(q.namespace, q.id) from queues q where q.id = $1', queueId);
}
