import { describe, expect, it } from 'vitest';
import { TerminalReader } from './ansi.ts';

/** What is left of a text: pieces as `style:text`, `\n`, `\r` and `\b` as themselves. */
function read(...texts: readonly string[]): string[] {
  const seen: string[] = [];
  const reader = new TerminalReader({
    text: (text, style) => seen.push(`${style}:${text}`),
    newline: () => seen.push('\n'),
    carriageReturn: () => seen.push('\r'),
    backspace: () => seen.push('\b'),
  });
  for (const text of texts) reader.read(text);
  return seen;
}

describe('TerminalReader', () => {
  it('turns colours and weights into class names', () => {
    expect(read('\u001b[1;31mred\u001b[22mlight\u001b[0mplain\u001b[102mbg')).toEqual([
      'ansi-bold ansi-fg-1:red',
      'ansi-fg-1:light',
      ':plain',
      'ansi-bg-10:bg',
    ]);
  });

  it('brings colours beyond the sixteen to the nearest of them', () => {
    expect(read('\u001b[38;5;196mr\u001b[38;2;0;0;120mb\u001b[48:5:250mg')).toEqual([
      'ansi-fg-9:r',
      'ansi-fg-4:b',
      'ansi-fg-4 ansi-bg-7:g',
    ]);
  });

  it('drops every other escape and control character', () => {
    const hostile = [
      '\u001b[2J\u001b[H\u001b[?1049h',
      '\u001b]0;a title\u0007',
      '\u001b]8;;https://example.org\u001b\\',
      '\u001bPq#0;2;0;0;0\u001b\\',
      '\u001b(B\u0000\u0007\u007f\u0085\u009b31K\u009d0;x\u009c',
      '\u001bc',
    ];

    expect(read(`a${hostile.join('')}b`)).toEqual([':a', ':b']);
  });

  it('understands a sequence that two chunks share', () => {
    expect(read('a\u001b[3', '2mgreen')).toEqual([':a', 'ansi-fg-2:green']);
  });

  it('loses no line to a sequence that never ends', () => {
    expect(read('\u001b[31', '\nnext')).toEqual(['\n', ':next']);
  });

  it('keeps tabs, and tells of line ends, returns and backspaces', () => {
    expect(read('a\tb\r\n10%\rc\b')).toEqual([':a\tb', '\r', '\n', ':10%', '\r', ':c', '\b']);
  });

  it('leaves markup what it is: text', () => {
    expect(read('<img src=x onerror=alert(1)>')).toEqual([':<img src=x onerror=alert(1)>']);
  });
});
