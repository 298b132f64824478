/** JSON for people: pretty, cut into pieces that can be tinted, and errors in words. */
import type { Json } from '../core/index.ts';

export interface JsonPiece {
  readonly kind: 'name' | 'text' | 'number' | 'word' | 'plain';
  readonly text: string;
}

/** Beyond this it is shown without tints, and beyond that only its beginning. */
const MOST_TINTED = 40_000;
export const MOST_SHOWN = 400_000;

const PIECE =
  /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(\btrue\b|\bfalse\b|\bnull\b)/g;

export function toPrettyJson(value: Json): string {
  return JSON.stringify(value, null, 2) ?? 'null';
}

/** In one line, cut to `most` characters. */
export function toJsonLine(value: Json, most: number): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

export function toJsonPieces(pretty: string): JsonPiece[] {
  if (pretty.length > MOST_TINTED) return [{ kind: 'plain', text: pretty.slice(0, MOST_SHOWN) }];
  const pieces: JsonPiece[] = [];
  let end = 0;
  for (const match of pretty.matchAll(PIECE)) {
    const [whole, quoted, colon, number] = match;
    if (match.index > end) pieces.push({ kind: 'plain', text: pretty.slice(end, match.index) });
    const kind = quoted ? (colon ? 'name' : 'text') : number ? 'number' : 'word';
    pieces.push({ kind, text: quoted ?? whole });
    if (colon) pieces.push({ kind: 'plain', text: colon });
    end = match.index + whole.length;
  }
  if (end < pretty.length) pieces.push({ kind: 'plain', text: pretty.slice(end) });
  return pieces;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly problem: string };

/** What somebody typed; nothing at all is `undefined`. */
export function parseTypedJson(text: string): ParsedJson {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (error) {
    return { ok: false, problem: explain(text, String((error as Error).message)) };
  }
}

/** Browsers name the place in different ways; people look for lines. */
function explain(text: string, message: string): string {
  const place = findPlace(text, message);
  const where = place ? `line ${place.line}, column ${place.column}` : 'the end';
  return `This is not JSON yet: look at ${where}. ${advice(text)}`;
}

function findPlace(text: string, message: string): { line: number; column: number } | null {
  const named = /line (\d+) column (\d+)/.exec(message);
  if (named) return { line: Number(named[1]), column: Number(named[2]) };
  const position = /position (\d+)/.exec(message);
  if (!position) return null;
  const before = text.slice(0, Number(position[1])).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function advice(text: string): string {
  if (text.includes("'")) return 'Text stands in double quotes: {"name": "value"}.';
  if (/,\s*[}\]]/.test(text)) return 'There is a comma too many before a closing bracket.';
  if (/[{,]\s*[A-Za-z_]\w*\s*:/.test(text)) return 'Names stand in double quotes: {"name": 1}.';
  return 'It should look like {"name": "value", "count": 1}.';
}
