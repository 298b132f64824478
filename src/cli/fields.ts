import type { Paint, Style } from './table.ts';
import { toPlainLine } from './terminal-text.ts';

/** A field of a thing that is shown; null leaves it out. */
export type Field = readonly [name: string, value: string | null, style?: Style | null];

/** `name   value`, one to a line, aligned. */
export function layOutFields(paint: Paint, fields: readonly Field[]): string[] {
  const given = fields.filter(([, value]) => value !== null);
  const width = Math.max(0, ...given.map(([name]) => name.length));
  return given.map(([name, value, style = null]) => {
    const label = paint('dim', name.padEnd(width));
    return `  ${label}  ${paint(style, toPlainLine(value ?? ''))}`;
  });
}
