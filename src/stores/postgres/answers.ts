import { deserialize, serialize } from 'node:v8';
import type { KeptAnswer, Once } from '../../core/store/index.ts';
import type { Statements } from './database.ts';
import { fromHex, fromQuoted, toHex, toQuoted } from './values.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;

export const FIND_ANSWER_SQL = `
  select fingerprint, answer from answers where key = $1 and at >= coalesce($2::int8, now_ms()) - ${KEPT_MS}`;
const LOCK_SQL = 'select pg_advisory_xact_lock(hashtextextended($1, 7))';
const KEEP_SQL = `
  insert into answers (key, fingerprint, at, answer) values ($1, $2, $3, $4::bytea)
  on conflict (key) do update set fingerprint = excluded.fingerprint, at = excluded.at,
    answer = excluded.answer`;
export const PURGE_ANSWERS_SQL = `
  delete from answers where key = any (array(
    select key from answers where at < coalesce($1::int8, now_ms()) - ${KEPT_MS} order by at limit $2))`;

export interface AnswerRow {
  readonly fingerprint: string;
  readonly answer: string;
}

/** Dates and bytes come back as such. */
export function toKeptAnswer(row: AnswerRow): KeptAnswer {
  const { fingerprint, answer } = row;
  return { fingerprint: fromQuoted(fingerprint), answer: deserialize(fromHex(answer)) };
}

/** The answer kept under a key; until the end of the transaction nobody else can keep one under it. */
export async function lockAnswer(
  db: Statements,
  { key }: Once,
  now: number,
): Promise<KeptAnswer | null> {
  await db.run(LOCK_SQL, toQuoted(key));
  const row = await db.get<AnswerRow>(FIND_ANSWER_SQL, toQuoted(key), now);
  return row && toKeptAnswer(row);
}

export async function keepAnswer(
  db: Statements,
  { key, fingerprint }: Once,
  answer: unknown,
  now: number,
): Promise<void> {
  const bytes = `\\x${toHex(serialize(answer))}`;
  await db.run(KEEP_SQL, toQuoted(key), toQuoted(fingerprint), now, bytes);
}
