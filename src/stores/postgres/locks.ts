/**
 * Locks of a transaction, in the order in which they are taken: tokens and keys, then queues by
 * row (their definitions, then their limits), then nodes, then rows of tasks, then counters. Whoever
 * reads after a lock sees what its last holder has committed, for each statement looks anew.
 */
import { toNumbers, toTexts } from './array-literal.ts';
import type { Statements } from './database.ts';

const LOCK_TOKEN_SQL =
  "select pg_advisory_xact_lock(hashtextextended('batchyard.token ' || $1::int4 || ' ' || $2, 7))";
const LOCK_KEYS_SQL = 'select lock_keys($1::int4[], $2::text[])';
const LOCK_LIMITS_SQL = `
  select pg_advisory_xact_lock(hashtext('batchyard.limits'), one)
  from (select distinct unnest($1::int4[]) as one order by 1) numbers`;
const LOCK_DEFINITION_SQL = "select pg_advisory_xact_lock(hashtext('batchyard.queue'), $1::int4)";
const SHARE_NODE_SQL = "select pg_advisory_xact_lock_shared(hashtext('batchyard.node'), $1::int4)";
const LOCK_NODE_SQL = "select pg_advisory_xact_lock(hashtext('batchyard.node'), $1::int4)";
const LOCK_NODE_LIMIT_SQL =
  "select pg_advisory_xact_lock(hashtext('batchyard.node-limit'), $1::int4)";

const LOCK_DUE_SQL = "select pg_advisory_xact_lock(hashtext('batchyard.due'), 0)";

/** One process at a time deals with what is due; the others find it done. */
export async function lockDueWork(db: Statements): Promise<void> {
  await db.run(LOCK_DUE_SQL);
}

export async function lockToken(db: Statements, node: number, token: string): Promise<void> {
  await db.run(LOCK_TOKEN_SQL, node, token);
}

export interface KeyLock {
  /** Its row. */
  readonly queue: number;
  readonly key: string;
}

/** Nobody else adds tasks with such keys meanwhile. */
export async function lockKeys(db: Statements, keys: readonly KeyLock[]): Promise<void> {
  if (keys.length === 0) return;
  const queues = toNumbers(keys.map(({ queue }) => queue));
  await db.run(LOCK_KEYS_SQL, queues, toTexts(keys.map(({ key }) => key)));
}

/** Of these queues only this transaction claims what is under a limit. */
export async function lockLimits(db: Statements, queues: readonly number[]): Promise<void> {
  if (queues.length > 0) await db.run(LOCK_LIMITS_SQL, toNumbers(queues));
}

/** Waits for all that work with the queue's definition; they wait until it is changed. */
export async function lockDefinitionAlone(db: Statements, queue: number): Promise<void> {
  await db.run(LOCK_DEFINITION_SQL, queue);
}

/** What operators set for the node stays as it is. */
export async function shareNode(db: Statements, node: number): Promise<void> {
  await db.run(SHARE_NODE_SQL, node);
}

export async function lockNode(db: Statements, node: number): Promise<void> {
  await db.run(LOCK_NODE_SQL, node);
}

export async function lockNodeLimit(db: Statements, node: number): Promise<void> {
  await db.run(LOCK_NODE_LIMIT_SQL, node);
}
