import type { z } from 'zod';
import { type BatchError, invalid } from '../../core/index.ts';

/** Reads a value by its schema; INVALID_REQUEST names the first field that is wrong, and what would be right. */
export function decode<T>(schema: z.ZodType<T>, value: unknown, place = 'body'): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw toInvalidRequest(result.error, place);
}

export function toInvalidRequest(error: z.ZodError, place: string): BatchError {
  const issue = error.issues[0];
  if (issue === undefined) return invalid(place, 'is not valid');
  const field = toFieldName(issue.path, place);
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? '';
    const where = toFieldName([...issue.path, name], place);
    return invalid(where, `there is no field "${name}"`, issue.message);
  }
  const { problem, remedy } = explain(issue);
  return invalid(field, problem, remedy);
}

type Explanation = { readonly problem: string; readonly remedy: string };

function explain(issue: z.core.$ZodIssue): Explanation {
  switch (issue.code) {
    case 'invalid_type':
      return {
        problem:
          issue.input === undefined
            ? 'it is missing'
            : `expected ${wordOf(issue.expected)}, got ${kindOf(issue.input)}`,
        remedy: `Give ${wordOf(issue.expected)}`,
      };
    case 'invalid_value':
      return {
        problem: `${shown(issue.input)} is not known`,
        remedy: `Use ${oneOf(issue.values)}`,
      };
    case 'too_small':
      return { problem: sizeProblem(issue, 'small'), remedy: `Use at least ${issue.minimum}` };
    case 'too_big':
      return { problem: sizeProblem(issue, 'big'), remedy: `Use at most ${issue.maximum}` };
    case 'invalid_format':
      if (issue.format === 'datetime') {
        return { problem: 'is not an instant', remedy: 'Write it like 2030-01-31T12:00:00Z' };
      }
      return { problem: `${shown(issue.input)} ${issue.message}`, remedy: 'Use digits only' };
    default:
      return { problem: issue.message, remedy: 'See docs/http-api.md' };
  }
}

function sizeProblem(issue: { origin: string; input?: unknown }, way: 'small' | 'big'): string {
  if (issue.origin === 'array') return way === 'big' ? 'has too many items' : 'has too few items';
  if (issue.origin === 'string') return way === 'big' ? 'is too long' : 'is too short';
  return `${shown(issue.input)} is too ${way}`;
}

function toFieldName(path: readonly PropertyKey[], place: string): string {
  let name = '';
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`;
    else name += name === '' ? String(part) : `.${String(part)}`;
  }
  return name === '' ? place : name.slice(0, 200);
}

const WORDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  date: 'an instant',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
};

function wordOf(expected: string): string {
  return WORDS[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return String(value);
  return WORDS[typeof value] ?? typeof value;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function oneOf(values: readonly unknown[]): string {
  return values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
}
