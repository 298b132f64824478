import { type Changes, createChanges } from './changes.ts';
import type { Database } from './database.ts';
import { createFreshClaims, type FreshClaims } from './fresh-claims.ts';
import { createNodeCache, type NodeCache } from './node-cache.ts';
import { createQueueCache, type QueueCache } from './queue-cache.ts';

/** All that a step works on. */
export interface Session {
  readonly db: Database;
  readonly queues: QueueCache;
  readonly nodes: NodeCache;
  readonly changes: Changes;
  readonly fresh: FreshClaims;
  /** The number last given to a claim that may be repeated. */
  lastCall: number;
  /** Nothing is due before these instants; what is later may be due all the same. */
  readonly due: { leasesFrom: number; delaysFrom: number };
}

const LAST_CALL_SQL = "select seq from sqlite_sequence where name = 'claims'";

export function createSession(db: Database): Session {
  const session: Session = {
    db,
    queues: createQueueCache(db),
    nodes: createNodeCache(db),
    changes: createChanges(),
    fresh: createFreshClaims(),
    lastCall: 0,
    due: { leasesFrom: 0, delaysFrom: 0 },
  };
  return session;
}

/** Reads the caches from the database, at the start and after a rollback. */
export function loadCaches(session: Session): void {
  const { db, queues, nodes, fresh } = session;
  fresh.clear();
  queues.load();
  nodes.load();
  session.lastCall = db.get<{ seq: number }>(LAST_CALL_SQL)?.seq ?? 0;
}
