/** Values on their way into columns and back. */
import { createHash } from 'node:crypto';
import { fromKeyBytes, type Json, type TaskKey } from '../../core/store/index.ts';

/** null stands for JSON's null too. */
export function toText(value: Json | undefined): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export function fromText(text: string | null): Json {
  return text === null ? null : JSON.parse(text);
}

export function toParamsText(params: Json): string {
  return JSON.stringify(params) ?? 'null';
}

export function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** Any text in a form that PostgreSQL can hold: it has no U+0000 and no halves of surrogate pairs. */
export function toQuoted(text: string): string {
  return JSON.stringify(text);
}

export function fromQuoted(text: string): string {
  return JSON.parse(text);
}

/** What of a record is the same for all of a kind takes no room: {} is null. */
export function toLabelsText(labels: Readonly<Record<string, string>>): string | null {
  for (const _ in labels) return JSON.stringify(labels);
  return null;
}

export function fromLabelsText(text: string | null): Readonly<Record<string, string>> {
  return text === null ? {} : JSON.parse(text);
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function fromHex(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}

export function fromKeyHex(hex: string | null): TaskKey | null {
  return hex === null ? null : fromKeyBytes(fromHex(hex));
}

/** An index entry holds 2,700 bytes: what is the same in so many places goes by id. */
export const LONGEST_RANK_BYTES = 2000;

export function toRankHex(rank: Uint8Array): string {
  return toHex(rank.subarray(0, LONGEST_RANK_BYTES));
}

const LONGEST_NAMED_BYTES = 64;

/** A text that is only ever compared, short enough for an index: long ones stand as their digest. */
export function toIndexed(text: string): string {
  const quoted = toQuoted(text);
  if (Buffer.byteLength(quoted) <= LONGEST_NAMED_BYTES) return quoted;
  return createHash('sha256').update(quoted).digest('base64url');
}

const LONGEST_UNIQUE_BYTES = 2000;

/** A unique key as an index can hold it: all but the longest can be told from it again. */
export function toUniqueText(text: string): string {
  const quoted = toQuoted(text);
  return Buffer.byteLength(quoted) <= LONGEST_UNIQUE_BYTES ? quoted : toIndexed(text);
}

/** null where only a digest is kept. */
export function fromUniqueText(text: string): string | null {
  return text.startsWith('"') ? fromQuoted(text) : null;
}
