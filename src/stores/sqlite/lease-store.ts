import type { LeaseStore } from '../../core/store/index.ts';
import type { Database } from './database.ts';
import { fromQuoted, toQuoted } from './rows.ts';
import type { Steps } from './steps.ts';

interface LeaseRow {
  /** null: given back. */
  readonly holder: string | null;
  readonly term: number;
  readonly expiresAt: number;
}

const FIND_SQL = 'select holder, term, expires_at as expiresAt from leases where name = ?';
const SAVE_SQL = `
  insert into leases (name, holder, term, expires_at) values (?, ?, ?, ?)
  on conflict (name) do update set holder = excluded.holder, term = excluded.term,
    expires_at = excluded.expires_at`;
const RELEASE_SQL = 'update leases set holder = null where name = ?';

export function createLeaseStore({ session: { db }, take }: Steps): LeaseStore {
  return {
    acquire: ({ name, holder, ttlMs }, step) =>
      take(step, (now) => {
        const lease = findLease(db, name);
        const isOthers = lease && lease.holder !== null && lease.holder !== holder;
        if (isOthers && lease.expiresAt > now) {
          const { holder: other, term, expiresAt } = lease;
          return { held: false, holder: other ?? '', term, expiresAt: new Date(expiresAt) };
        }
        const term = lease?.holder === holder ? lease.term : (lease?.term ?? 0) + 1;
        const expiresAt = now + ttlMs;
        db.run(SAVE_SQL, toQuoted(name), toQuoted(holder), term, expiresAt);
        return { held: true, holder, term, expiresAt: new Date(expiresAt) };
      }),

    release: (name, holder, step) =>
      take(step, (now) => {
        const lease = findLease(db, name);
        if (lease?.holder !== holder || lease.expiresAt <= now) return 'not-held';
        db.run(RELEASE_SQL, toQuoted(name));
        return 'released';
      }),
  };
}

export function isLeaseHeld(
  db: Database,
  { name, term }: { readonly name: string; readonly term: number },
  now: number,
): boolean {
  const lease = findLease(db, name);
  return lease !== null && lease.holder !== null && lease.term === term && lease.expiresAt > now;
}

function findLease(db: Database, name: string): LeaseRow | null {
  const lease = db.get<LeaseRow>(FIND_SQL, toQuoted(name));
  return lease ? { ...lease, holder: lease.holder && fromQuoted(lease.holder) } : null;
}
