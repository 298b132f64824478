/**
 * Values as BSON can hold them. BSON keeps only well-formed text, so any other is kept as JSON
 * behind a mark that no text begins with.
 */
import type { Json } from '../../core/store/index.ts';

const MARK = '\uffff';

export function toStoredText(text: string): string {
  return text.isWellFormed() && !text.startsWith(MARK) ? text : MARK + JSON.stringify(text);
}

export function fromStoredText(text: string): string {
  return text.startsWith(MARK) ? JSON.parse(text.slice(MARK.length)) : text;
}

/** Each label as one text, so that a filter by label is a filter by value. */
export function toStoredLabels(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map((label) => JSON.stringify(label));
}

export function fromStoredLabels(labels: readonly string[]): Record<string, string> {
  // Not by assignment: a label may be called __proto__.
  return Object.fromEntries(labels.map((label) => JSON.parse(label)));
}

/** BSON nests up to 100 levels, of which the document around the value takes some. */
const DEEPEST = 80;

/** Whether a value comes back from BSON as it was; others are kept as JSON text. */
export function isPlainBson(value: Json, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainBson(item, depth + 1));
  return Object.entries(value).every(
    ([name, item]) => isPlainName(name) && isPlainBson(item, depth + 1),
  );
}

function isPlainName(name: string): boolean {
  if (name === '' || name.startsWith('$') || name === '__proto__' || name === '_bsontype') {
    return false;
  }
  return name !== 'toBSON' && !/[.\0]/.test(name) && name.isWellFormed();
}
