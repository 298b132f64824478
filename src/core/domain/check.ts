/** Checks of what callers hand in: each throws INVALID_REQUEST with the field, what is wrong, and what would be right. */
import { BatchError, invalid } from '../errors.ts';
import type { Json } from './json.ts';

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function checkWhole(field: string, value: unknown, range: Range = {}): void {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw invalid(field, `${show(value)} is not a whole number from ${min} to ${max}`, 'Use one');
  }
}

/** null stands for "no limit". */
export function checkLimit(field: string, value: unknown, range: Range = {}): void {
  if (value === null) return;
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = range;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
    throw invalid(
      field,
      `${show(value)} is no limit`,
      `Use a whole number from ${min}, or null for none`,
    );
  }
}

export function checkNumber(field: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw invalid(field, `${show(value)} is not a finite number`, 'Use one');
  }
}

export function checkText(field: string, value: unknown, maxLength: number): void {
  if (typeof value !== 'string') throw invalid(field, `${show(value)} is not text`, 'Use text');
  if (value.length > maxLength) {
    throw invalid(field, `it has ${value.length} characters`, `Use at most ${maxLength}`);
  }
}

export function checkFlag(field: string, value: unknown): void {
  if (typeof value !== 'boolean') {
    throw invalid(field, `${show(value)} is neither true nor false`, 'Use one of the two');
  }
}

export function checkOneOf(field: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value !== 'string' || !allowed.includes(value)) {
    throw invalid(field, `${show(value)} is not known`, `Use one of: ${allowed.join(', ')}`);
  }
}

export function checkDate(field: string, value: unknown): void {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw invalid(field, `${show(value)} is not an instant`, 'Use a valid Date');
  }
}

export function checkTexts(field: string, value: unknown, maxLength: number): void {
  if (!Array.isArray(value))
    throw invalid(field, `${show(value)} is not a list`, 'Use a list of text');
  for (const [index, item] of value.entries()) checkText(`${field}[${index}]`, item, maxLength);
}

export function checkLabels(field: string, labels: Readonly<Record<string, string>>): void {
  const names = Object.keys(labels);
  if (names.length > 64) throw invalid(field, `${names.length} labels`, 'Use at most 64');
  for (const name of names) {
    checkText(`${field}.${name}`, labels[name], 1024);
    if (name === '' || name.length > 128)
      throw invalid(field, `the label "${name}"`, 'Use names of 1 to 128 characters');
  }
}

export interface JsonBounds {
  readonly maxBytes: number;
  readonly maxDepth: number;
}

export const PARAMS_BOUNDS: JsonBounds = { maxBytes: 1024 * 1024, maxDepth: 100 };

/** That a value is JSON, not too deep, and not too large (counted roughly: each text by its length). */
export function checkJson(field: string, value: Json, bounds: JsonBounds = PARAMS_BOUNDS): void {
  const size = measure(field, value, bounds, 0);
  if (size > bounds.maxBytes) {
    throw new BatchError('TOO_LARGE', {
      field,
      size: String(size),
      limit: String(bounds.maxBytes),
      remedy: 'Keep large data elsewhere and pass a reference.',
    });
  }
}

function measure(field: string, value: unknown, bounds: JsonBounds, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value === 'boolean') return 4;
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw invalid(field, `${value} is not JSON`, 'Use a finite number');
    return 8;
  }
  if (depth >= bounds.maxDepth) {
    throw invalid(field, 'it is nested too deeply', `Use at most ${bounds.maxDepth} levels`);
  }
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += measure(field, item, bounds, depth + 1) + 1;
    return size;
  }
  if (typeof value === 'object' && isPlain(value)) {
    for (const [name, item] of Object.entries(value)) {
      size += name.length + 4 + measure(field, item, bounds, depth + 1);
    }
    return size;
  }
  throw invalid(
    field,
    `${show(value)} is not JSON`,
    'Use null, true, false, numbers, text, lists and objects',
  );
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}
