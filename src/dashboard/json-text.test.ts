import { describe, expect, it } from 'vitest';
import { parseTypedJson, toJsonLine, toJsonPieces, toPrettyJson } from './json-text.ts';

describe('JSON in pieces', () => {
  it('is the same text again when put together', () => {
    const value = {
      'a "name": 1': ['text: "x"', -1.5e-7, true, null, '</script><img src=x onerror=alert(1)>'],
      '\u202e\u0000': '\\',
    };
    const pretty = toPrettyJson(value);

    expect(
      toJsonPieces(pretty)
        .map(({ text }) => text)
        .join(''),
    ).toBe(pretty);
  });

  it('tells names, texts, numbers and words apart', () => {
    const kinds = toJsonPieces('{"a": ["b", 1, null]}').map(({ kind, text }) => `${kind} ${text}`);

    expect(kinds.filter((kind) => !kind.startsWith('plain'))).toEqual([
      'name "a"',
      'text "b"',
      'number 1',
      'word null',
    ]);
  });

  it('is one piece when it is very long', () => {
    const pretty = toPrettyJson(Array.from({ length: 100_000 }, (_, index) => index));

    const pieces = toJsonPieces(pretty);

    expect(pieces).toHaveLength(1);
    expect(pieces[0]?.text.length).toBeLessThan(pretty.length);
  });

  it('fits a table when it is a line', () => {
    expect(toJsonLine({ a: 'x'.repeat(100) }, 20)).toBe('{"a":"xxxxxxxxxxxxxx…');
  });
});

describe('parseTypedJson', () => {
  it('takes JSON, and nothing at all', () => {
    expect(parseTypedJson(' {"a": 1} ')).toEqual({ ok: true, value: { a: 1 } });
    expect(parseTypedJson('  \n')).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}', /line 3, column 7/],
    ["{'a': 1}", /double quotes/],
    ['{"a": 1,}', /comma too many/],
    ['{a: 1}', /Names stand in double quotes/],
    ['{"a": 1', /not JSON yet/],
    ['nope', /should look like/],
  ])('says where %j is wrong, and what would be right', (text, problem) => {
    expect(parseTypedJson(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});
