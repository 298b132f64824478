import type { Statements } from './database.ts';

const ENSURE_SQL =
  'insert into namespaces (name, created_at) values ($1, $2) on conflict do nothing';

/** Makes a namespace if it is missing: queues and nodes bring theirs with them. */
export async function ensureNamespace(db: Statements, name: string, now: number): Promise<void> {
  await db.run(ENSURE_SQL, name, now);
}
