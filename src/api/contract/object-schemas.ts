import { z } from 'zod';
import { findNearestName } from '../../core/index.ts';

/** One schema per field of `T`, so that the compiler notices a field that was forgotten. */
export type Fields<T> = { [Name in keyof T]-?: z.ZodType<T[Name]> };

export type ObjectSchema<T> = z.ZodType<T> & {
  readonly shape: Readonly<Record<string, z.ZodType>>;
};

/** An object of a request: a field that is not known is refused, with the nearest known name. */
export function strict<T>(fields: Fields<T>): ObjectSchema<T> {
  const known = Object.keys(fields);
  const schema = z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownFieldRemedy(issue.keys, known) : undefined,
  });
  return schema as unknown as ObjectSchema<T>;
}

/** An object of an answer: fields a newer server adds are passed over. */
export function open<T>(fields: Fields<T>): ObjectSchema<T> {
  return z.object(fields) as unknown as ObjectSchema<T>;
}

/** The same fields, none of them needed. */
export function optional<T>(fields: Fields<T>): Fields<Partial<T>> {
  const all = Object.entries<z.ZodType>(fields);
  const optionals = Object.fromEntries(all.map(([name, schema]) => [name, schema.optional()]));
  return optionals as unknown as Fields<Partial<T>>;
}

export const NOTHING: ObjectSchema<unknown> = strict<unknown>({});

function unknownFieldRemedy(keys: readonly string[], known: readonly string[]): string {
  const nearest = findNearestName(keys[0] ?? '', known);
  if (nearest !== null) return `Did you mean "${nearest}"?`;
  if (known.length === 0) return 'Nothing can be said here';
  return `Known fields: ${known.join(', ')}`;
}
