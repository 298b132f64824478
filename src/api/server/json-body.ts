import { BatchError, invalid } from '../../core/index.ts';

/** More than the engine allows params to have, so that its word on them is the one that counts. */
export const DEEPEST_JSON = 128;

const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype'];
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON that came from outside. Refused besides bad syntax: text that is not UTF-8, nesting
 * that could exhaust memory, names that could reach a prototype, and numbers that would not come
 * back as they were sent.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = toText(bytes);
  checkSurface(text);
  const value = parse(text);
  // Walking a large body costs; a name that matters can only be there if its letters or an escape are.
  if (/__proto__|constructor|prototype|\\u/.test(text)) checkNames(value);
  return value;
}

function toText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid('body', 'it is not UTF-8', 'Send UTF-8 text');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    const where = position === undefined ? '' : ` at character ${position}`;
    const problem = text.trim() === '' ? 'it is empty' : `it is not JSON${where}`;
    throw invalid('body', problem, 'Send one JSON value');
  }
}

/** Depth and numbers, before anything is built from the text. */
function checkSurface(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > DEEPEST_JSON) {
        throw invalid('body', 'it is nested too deeply', `Use at most ${DEEPEST_JSON} levels`);
      }
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    } else if (code >= 0x30 && code <= 0x39) {
      const end = endOfNumber(text, at);
      if (end - at > 4) checkNumber(text.slice(at, end));
      at = end - 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === 0x5c) before -= 1;
    if ((quote - before) % 2 === 1) return quote;
  }
  return text.length;
}

/** Digits, and what else numbers are made of: + - . E e */
function endOfNumber(text: string, start: number): number {
  for (let end = start + 1; ; end++) {
    const code = text.charCodeAt(end);
    const isDigit = code >= 0x30 && code <= 0x39;
    const isPart =
      code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
    if (!isDigit && !isPart) return end;
  }
}

function checkNumber(text: string): void {
  const value = Number(text);
  if (Number.isNaN(value)) return;
  if (!Number.isFinite(value)) {
    throw invalid('body', `${shorten(text)} is too big for a number`, 'Send it as text');
  }
  if (!/^\d+$/.test(text) || String(value) === text || BigInt(value) === BigInt(text)) return;
  throw invalid('body', `${shorten(text)} would be rounded to ${value}`, 'Send it as text');
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function checkNames(value: unknown): void {
  const open: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        open.push({ value: item, path: `${path}[${index}]` });
      continue;
    }
    for (const name of Object.getOwnPropertyNames(value)) {
      const field = path === '' ? name : `${path}.${name}`;
      if (FORBIDDEN_NAMES.includes(name)) {
        throw invalid(field.slice(-200), `"${name}" cannot be a name here`, 'Call it otherwise');
      }
      open.push({ value: (value as Record<string, unknown>)[name], path: field });
    }
  }
}

export function tooLarge(field: string, size: string, limit: number): BatchError {
  const remedy = 'Send less at a time, or stream tasks as NDJSON.';
  return new BatchError('TOO_LARGE', { field, size, limit: String(limit), remedy });
}
