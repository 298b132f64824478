/** How values that JSON lacks go over the wire. Both ends hold the value itself: codecs map it. */
import { z } from 'zod';
import { findBase64Bytes, type Json, type TaskKey, toBase64 } from '../../core/index.ts';

/** A Date here, ISO 8601 text there. */
export const Instant = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** Bytes here, base64 text there. */
export const Bytes = z.codec(
  z.string().meta({ contentEncoding: 'base64' }),
  z.instanceof(Uint8Array),
  {
    decode: (text, context) => {
      const bytes = findBase64Bytes(text);
      if (bytes !== null) return bytes;
      context.issues.push({ code: 'custom', message: 'is not base64', input: text });
      return z.NEVER;
    },
    encode: toBase64,
  },
);

/** Text, or bytes that are no text as `{"$bytes": base64}`. */
export const Key = z
  .codec(
    z.union([z.string(), z.strictObject({ $bytes: Bytes })], {
      error: 'expected text or {"$bytes": base64}',
    }),
    z.custom<TaskKey>((value) => typeof value === 'string' || value instanceof Uint8Array),
    {
      decode: (wire) => (typeof wire === 'string' ? wire : wire.$bytes),
      encode: (key) => (typeof key === 'string' ? key : { $bytes: new Uint8Array(key) }),
    },
  )
  .meta({ id: 'TaskKey', description: 'Text, or bytes that are no text.' });

/** Any JSON. What a body may hold at all was checked when it was read. */
export const AnyJson = z
  .custom<Json>((value) => value !== undefined)
  .meta({ description: 'Any JSON value.' });

/** Milliseconds; a century is the longest. */
export const LONGEST_MS = 100 * 365 * 86_400_000;
export const DurationMs = z.int().min(0).max(LONGEST_MS);

/** Counts that are asked for, and counts that are answered. */
export const Count = z.int().min(0).max(1_000_000_000);
export const Tally = z.int().min(0);

/** Priorities and exit codes: any finite number. */
export const Amount = z.number();
export const Fence = z.int().min(0);

/** Names of things; the engine says which are good. */
export const Name = z.string();
export const Labels = z.record(z.string(), z.string());

/** How many things one call may name. */
export const MOST_ITEMS = 10_000;
export function listOf<Item>(item: z.ZodType<Item>): z.ZodType<readonly Item[]> {
  return z.array(item).max(MOST_ITEMS);
}
