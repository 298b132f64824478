import { stripVTControlCharacters } from 'node:util';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Data on one line: escapes, control characters and marks that turn text around are taken out. */
export function toPlainLine(text: string): string {
  const spaced = stripVTControlCharacters(text).replace(/[\n\r\t]+/g, ' ');
  return spaced.replace(CONTROLS, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const COLOUR = /(\u001b\[[0-9;]*m)/;

/** A program's output for a terminal: colours, lines and tabs stay, all that could move or fake anything goes. */
export function toTerminalOutput(text: string): string {
  return text
    .split(COLOUR)
    .map((part) => (COLOUR.test(part) ? part : stripLines(part)))
    .join('');
}

function stripLines(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, (control) => (control === '\n' || control === '\t' ? control : ''));
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const PLAIN_ASCII = /^[\u0020-\u007e]*$/;

/** Columns the text takes on a terminal. */
export function textWidth(text: string): number {
  if (PLAIN_ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(stripVTControlCharacters(text))) {
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** At most `width` columns of the text, with … where it was cut. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let cut = '';
  let left = width - 1;
  for (const { segment } of segmenter.segment(text)) {
    left -= WIDE.test(segment) ? 2 : 1;
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…`;
}

export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'left' ? text + space : space + text;
}
