/** Values of a query string: text there, the value here. `wire` is how documents show them. */
import { z } from 'zod';
import { findBase64Bytes, LARGEST_PAGE, type TaskKey, toBase64 } from '../../core/index.ts';

/** Where a schema's own JSON Schema would say less than the truth. */
export type WireMeta = { readonly wire: Readonly<Record<string, unknown>> };

export function queryInt(minimum: number, maximum: number): z.ZodType<number> {
  const text = z.string().regex(/^-?\d{1,16}$/, 'is not a whole number');
  return z
    .codec(text, z.int().min(minimum).max(maximum), { decode: Number, encode: String })
    .meta({ wire: { type: 'integer', minimum, maximum } } satisfies WireMeta);
}

export const QueryBoolean = z
  .codec(z.enum(['true', 'false']), z.boolean(), {
    decode: (text) => text === 'true',
    encode: (value) => (value ? 'true' : 'false'),
  })
  .meta({ wire: { type: 'boolean' } } satisfies WireMeta);

/** A parameter that may stand several times: `state=failed&state=cancelled`. */
export function queryList<Item>(
  item: z.ZodType<Item>,
  values?: readonly string[],
): z.ZodType<readonly Item[]> {
  const items = { type: 'string', ...(values && { enum: values }) };
  return z
    .codec(z.union([z.string(), z.array(z.string()).max(1000)]), z.array(item), {
      decode: (value) => (typeof value === 'string' ? [value] : value) as never,
      encode: (values) => values as unknown as string[],
    })
    .meta({ wire: { type: 'array', items } } satisfies WireMeta);
}

/** `name:value`, the first colon divides. */
export const QueryLabels = z
  .codec(z.union([z.string(), z.array(z.string()).max(100)]), z.record(z.string(), z.string()), {
    decode: (value, context) => {
      const labels: [string, string][] = [];
      for (const text of typeof value === 'string' ? [value] : value) {
        const colon = text.indexOf(':');
        if (colon < 1) {
          context.issues.push({
            code: 'custom',
            message: `"${text}" is not name:value`,
            input: text,
          });
          return z.NEVER;
        }
        labels.push([text.slice(0, colon), text.slice(colon + 1)]);
      }
      return Object.fromEntries(labels);
    },
    encode: (labels) => Object.entries(labels).map(([name, value]) => `${name}:${value}`),
  })
  .meta({ wire: { type: 'array', items: { type: 'string' } } } satisfies WireMeta);

/** A key as text, or as `base64:` and its bytes. A text that begins so must be given as bytes, too. */
export const QueryKey: z.ZodType<TaskKey> = z.codec(
  z.string().max(12_000),
  z.custom<TaskKey>((value) => typeof value === 'string' || value instanceof Uint8Array),
  {
    decode: (text, context) => {
      if (!text.startsWith('base64:')) return text;
      const bytes = findBase64Bytes(text.slice(7));
      if (bytes !== null) return bytes;
      context.issues.push({ code: 'custom', message: 'is not base64', input: text });
      return z.NEVER;
    },
    encode: (key, context) => {
      if (typeof key !== 'string') return `base64:${toBase64(key)}`;
      if (!key.isWellFormed()) {
        context.issues.push({ code: 'custom', message: 'is not valid Unicode', input: key });
        return z.NEVER;
      }
      // Percent-encoding triples its length, and a request line is short.
      const isPlain = key.length <= 1000 && !key.startsWith('base64:');
      return isPlain ? key : `base64:${toBase64(new TextEncoder().encode(key))}`;
    },
  },
);

/** Of every list: `after` is the `next` of the page before. */
export const pageFields = {
  after: z.string().max(20_000).optional(),
  limit: queryInt(1, LARGEST_PAGE).optional(),
};
