import type { Json, JsonObject } from '../domain/json.ts';
import type { KeyedLimit } from '../domain/queue.ts';

/** One key per limit, read from the params; "" where they hold nothing to go by. */
export function limitKeysOf(limits: readonly KeyedLimit[], params: Json): readonly string[] {
  return limits.map(({ by }) => {
    let value: Json | undefined = params;
    for (const name of by.split('.')) {
      const inside: Json | undefined = value;
      value = isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : undefined;
    }
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
