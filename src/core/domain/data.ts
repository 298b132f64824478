/**
 * Values that JSON cannot say, in JSON: bytes, UUIDs, tuples, integers beyond 2^53,
 * floats without a fraction, and maps with keys that are not plain text. Every value
 * comes back as it was sent, every store can hold it, and people can read it.
 *
 * An object of one key that begins with `$` is such a value; a real key that begins
 * with `$` is written with one more.
 */
import { invalid } from '../errors.ts';
import { findBase64Bytes, toBase64 } from './base64.ts';
import type { Json, JsonObject } from './json.ts';

/** A whole `number` is an integer, one with a fraction a float; other floats are `Float`. */
export type Data =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Float
  | Uuid
  | Tuple
  | readonly Data[]
  | DataMap;
export interface DataMap extends ReadonlyMap<Data, Data> {}

/** A float that a plain number would turn into an integer or lose: 2.0, −0, NaN, 1e300. */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class Uuid {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Tuple {
  readonly items: readonly Data[];
  constructor(items: readonly Data[]) {
    this.items = items;
  }
}

export function encodeData(value: Data): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return encodeInteger(value);
  if (typeof value === 'number') {
    const plain = Number.isSafeInteger(value) ? !Object.is(value, -0) : value % 1 !== 0;
    return plain && Number.isFinite(value) ? value : { $float: floatText(value) };
  }
  if (value instanceof Float) {
    const { value: float } = value;
    return Number.isFinite(float) && float % 1 !== 0 ? float : { $float: floatText(float) };
  }
  if (value instanceof Uint8Array) return { $bytes: toBase64(value) };
  if (value instanceof Uuid) return { $uuid: value.text };
  if (value instanceof Tuple) return { $tuple: value.items.map(encodeData) };
  if (value instanceof Map) return encodeMap(value);
  return (value as readonly Data[]).map(encodeData);
}

/** Throws INVALID_REQUEST for an object of one `$` key that is none of ours. */
export function decodeData(json: Json): Data {
  if (json === null || typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number') return json;
  if (isList(json)) return json.map(decodeData);
  const entries = Object.entries(json);
  const [first] = entries;
  if (entries.length === 1 && first && isSpecial(first[0])) return decodeSpecial(...first);
  return new Map(
    entries.map(([key, value]) => [key.startsWith('$') ? key.slice(1) : key, decodeData(value)]),
  );
}

function encodeInteger(value: bigint): Json {
  const small = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return small ? Number(value) : { $int: value.toString() };
}

/** An object where it keeps keys and their order; JavaScript moves whole-number keys to the front. */
function encodeMap(map: DataMap): Json {
  const keys = [...map.keys()];
  const isPlain = (key: Data): key is string =>
    typeof key === 'string' && key !== '__proto__' && !/^(0|[1-9]\d*)$/.test(key);
  if (!keys.every(isPlain)) {
    return { $map: [...map].map(([key, value]) => [encodeData(key), encodeData(value)]) };
  }
  const object: Record<string, Json> = {};
  for (const key of keys)
    object[key.startsWith('$') ? `$${key}` : key] = encodeData(map.get(key) ?? null);
  return object satisfies JsonObject;
}

function isSpecial(key: string): boolean {
  return key.startsWith('$') && !key.startsWith('$$');
}

function decodeSpecial(key: string, value: Json): Data {
  if (key === '$bytes' && typeof value === 'string') return decodeBytes(value);
  if (key === '$uuid' && typeof value === 'string') return new Uuid(value);
  if (key === '$int' && typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  if (key === '$float' && typeof value === 'string') return new Float(fromFloatText(value));
  if (key === '$tuple' && isList(value)) return new Tuple(value.map(decodeData));
  if (key === '$map' && isList(value)) return new Map(value.map(decodePair));
  throw invalid(key, 'it is not one of ours', 'Write a key of your own that begins with $ as $$');
}

function decodePair(pair: Json): [Data, Data] {
  if (!isList(pair) || pair.length !== 2)
    throw invalid('$map', 'it is no list of pairs', 'Use [[key, value], …]');
  return [decodeData(pair[0] ?? null), decodeData(pair[1] ?? null)];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function fromFloatText(text: string): number {
  const value = Number(text);
  if (Number.isNaN(value) && text !== 'NaN')
    throw invalid('$float', `"${text}" is no number`, 'Write it in digits');
  return value;
}

function decodeBytes(text: string): Uint8Array {
  const bytes = findBase64Bytes(text);
  if (bytes === null) throw invalid('$bytes', 'it is not base64', 'Write the bytes in base64');
  return bytes;
}
