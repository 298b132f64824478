import { DURATION_EXAMPLES, parseDuration } from '../app/duration.ts';
import { parseSize, SIZE_EXAMPLES } from '../app/size.ts';
import type { Json, KeyedLimit } from '../core/index.ts';
import { suggest } from '../core/index.ts';
import { UsageError } from './usage-error.ts';

export function toText(text: string): string {
  if (text === '') throw new UsageError('give it some text.');
  return text;
}

export function toInteger(text: string): number {
  const number = Number(text);
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new UsageError(`"${text}" is not a whole number.`);
}

export function toCount(text: string): number {
  const number = toInteger(text);
  if (number < 0) throw new UsageError(`"${text}" is less than 0.`);
  return number;
}

export function toNumber(text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new UsageError(`"${text}" is not a number.`);
}

export function toDurationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  throw new UsageError(`"${text}" is not a duration. Use for example ${DURATION_EXAMPLES}.`);
}

export function toBytes(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== null) return bytes;
  throw new UsageError(`"${text}" is not a size. Use for example ${SIZE_EXAMPLES}.`);
}

export function toJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`that is not JSON: ${why}. Use for example '{"item": "a"}'.`);
  }
}

/** `none` switches a limit off. */
export function orNone<Value>(read: (text: string) => Value): (text: string) => Value | null {
  return (text) => (text === 'none' ? null : read(text));
}

export function toChoice<Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    const all = choices.join(', ');
    throw new UsageError(`"${text}" is none of ${all}.${suggest(text, choices)}`);
  };
}

/** Choices in one text, separated by commas. */
export function toChoices<Choice extends string>(
  choices: readonly Choice[],
): (text: string) => readonly Choice[] {
  const read = toChoice(choices);
  return (text) => text.split(',').map((one) => read(one.trim()));
}

/** `a,b` as a list; `none` is the empty one. */
export function toNames(text: string): readonly string[] {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new UsageError(`"${text}" has an empty name in it.`);
  return names;
}

export function toPair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`"${text}" is not NAME=VALUE.`);
}

/** `NAME=BY:MAX` at one time, `NAME=BY:MAX/PER` within a time: `tenant=customer.id:5`, `rate=host:100/1m`. */
export function toKeyedLimit(text: string): KeyedLimit {
  const [, name, by, max, per] = /^([^=]+)=([^:]+):(\d+)(?:\/(.+))?$/.exec(text) ?? [];
  if (name === undefined || by === undefined) {
    throw new UsageError(
      `"${text}" is not NAME=BY:MAX or NAME=BY:MAX/PER. Use for example perTenant=tenant:5 or rate=host:100/1m.`,
    );
  }
  return { name, by, max: Number(max), perMs: per === undefined ? null : toDurationMs(per) };
}

/** An instant that is known once it is known what time it is. */
export type Moment = (now: Date) => Date;

/** `2026-03-01`, `2026-03-01T09:30`, or `2h`: before now (-1) or after it (1). */
export function toMoment(direction: 1 | -1): (text: string) => Moment {
  return (text) => {
    const ms = parseDuration(text);
    if (ms !== null) return (now) => new Date(now.getTime() + direction * ms);
    const instant = /^\d{4}-\d\d-\d\d([T ]|$)/.test(text) ? new Date(toLocal(text)) : null;
    if (instant !== null && !Number.isNaN(instant.getTime())) return () => instant;
    throw new UsageError(
      `"${text}" is no time. Use a date (2026-03-01T09:30, in local time) or a duration (2h).`,
    );
  };
}

// A date alone would be read as UTC; people mean their own midnight.
function toLocal(text: string): string {
  return text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T');
}
