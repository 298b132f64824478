import type { LeaseStore } from '../../core/store/index.ts';
import type { Statements } from './database.ts';
import type { Steps } from './steps.ts';
import { fromQuoted, toQuoted } from './values.ts';

interface LeaseRow {
  /** null: given back. */
  readonly holder: string | null;
  readonly term: number;
  readonly expiresAt: number;
}

const LOCK_SQL = 'select pg_advisory_xact_lock(hashtextextended($1, 8))';
const FIND_SQL = 'select holder, term, expires_at as "expiresAt" from leases where name = $1';
const SAVE_SQL = `
  insert into leases (name, holder, term, expires_at) values ($1, $2, $3, $4)
  on conflict (name) do update set holder = excluded.holder, term = excluded.term,
    expires_at = excluded.expires_at`;
const RELEASE_SQL = 'update leases set holder = null where name = $1';

export function createLeaseStore({ take }: Steps): LeaseStore {
  return {
    acquire: ({ name, holder, ttlMs }, step) =>
      take(
        step,
        async ({ db, now }) => {
          const lease = await lockLease(db, name);
          const isOthers = lease && lease.holder !== null && lease.holder !== holder;
          if (isOthers && lease.expiresAt > now) {
            const { holder: other, term, expiresAt } = lease;
            return { held: false, holder: other ?? '', term, expiresAt: new Date(expiresAt) };
          }
          const term = lease?.holder === holder ? lease.term : (lease?.term ?? 0) + 1;
          const expiresAt = now + ttlMs;
          await db.run(SAVE_SQL, toQuoted(name), toQuoted(holder), term, expiresAt);
          return { held: true, holder, term, expiresAt: new Date(expiresAt) };
        },
        { isRepeatable: true },
      ),

    release: (name, holder, step) =>
      take(step, async ({ db, now }) => {
        const lease = await lockLease(db, name);
        if (lease?.holder !== holder || lease.expiresAt <= now) return 'not-held';
        await db.run(RELEASE_SQL, toQuoted(name));
        return 'released';
      }),
  };
}

/** Until the end of the transaction nobody else takes, gives back or relies on another state of it. */
async function lockLease(db: Statements, name: string): Promise<LeaseRow | null> {
  await db.run(LOCK_SQL, toQuoted(name));
  const lease = await db.get<LeaseRow>(FIND_SQL, toQuoted(name));
  return lease && { ...lease, holder: lease.holder && fromQuoted(lease.holder) };
}

export async function isLeaseHeld(
  db: Statements,
  { name, term }: { readonly name: string; readonly term: number },
  now: number,
): Promise<boolean> {
  const lease = await lockLease(db, name);
  return lease !== null && lease.holder !== null && lease.term === term && lease.expiresAt > now;
}
