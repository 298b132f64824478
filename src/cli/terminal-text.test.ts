import { describe, expect, it } from 'vitest';
import { cutText, padText, textWidth, toPlainLine, toTerminalOutput } from './terminal-text.ts';

describe('data on a terminal', () => {
  it('is one line without escapes, control characters or turned text', () => {
    expect(toPlainLine('a\u001b[31mred\u001b[0m\nb\tc\u0007\u009b2J\u202ed')).toBe('ared b cd');
    expect(toPlainLine('\u001b]0;title\u0007x')).toBe('x');
  });

  it('keeps lines, tabs and colours of a program, and nothing that moves or fakes', () => {
    const written = '\u001b[32mok\u001b[0m\n\ttab\r\n\u001b[2J\u001b[1A\u001b]52;c;aGk=\u0007end\r';

    expect(toTerminalOutput(written)).toBe('\u001b[32mok\u001b[0m\n\ttab\nend');
  });
});

describe('the width of text', () => {
  it('counts columns, not characters', () => {
    expect(textWidth('abc')).toBe(3);
    expect(textWidth('日本')).toBe(4);
    expect(textWidth('e\u0301')).toBe(1);
    expect(textWidth('👩‍👩‍👧')).toBe(2);
  });

  it('is kept when text is cut or padded', () => {
    expect(cutText('abcdef', 4)).toBe('abc…');
    expect(cutText('日本語', 4)).toBe('日…');
    expect(cutText('abc', 3)).toBe('abc');
    expect(padText('日本', 6, 'right')).toBe('  日本');
  });
});
