import { deserialize, serialize } from 'node:v8';
import type { KeptAnswer, Once } from '../../core/store/index.ts';
import type { Database } from './database.ts';
import { fromQuoted, toQuoted } from './rows.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

const FIND_SQL = 'select fingerprint, answer from answers where key = ? and at >= ?';
const KEEP_SQL = `
  insert into answers (key, fingerprint, at, answer) values (?, ?, ?, ?)
  on conflict (key) do update set fingerprint = excluded.fingerprint, at = excluded.at,
    answer = excluded.answer`;
const PURGE_SQL =
  'delete from answers where key in (select key from answers where at < ? order by at limit ?)';

/** The answer kept under a key, unless it is older than a day. Dates and bytes come back as such. */
export function findAnswer(db: Database, key: string, now: number): KeptAnswer | null {
  const kept = db.get<{ fingerprint: string; answer: Uint8Array }>(
    FIND_SQL,
    toQuoted(key),
    now - KEPT_MS,
  );
  return kept
    ? { fingerprint: fromQuoted(kept.fingerprint), answer: deserialize(kept.answer) }
    : null;
}

export function keepAnswer(db: Database, once: Once, answer: unknown, now: number): void {
  db.run(KEEP_SQL, toQuoted(once.key), toQuoted(once.fingerprint), now, serialize(answer));
}

export function purgeAnswers(db: Database, now: number, limit: number): number {
  return db.run(PURGE_SQL, now - KEPT_MS, limit);
}
