import { describe, expect, it } from 'vitest';
import { fromStoredText, isPlainBson, toStoredText } from './texts.ts';

describe('text in BSON', () => {
  it.each(['', 'plain', 'zero \u0000', '😀', '\ud83d', 'half \udc00', '\uffff', '\uffff"x"'])(
    'comes back as it was, and is well formed: %j',
    (text) => {
      const stored = toStoredText(text);

      expect(stored.isWellFormed()).toBe(true);
      expect(fromStoredText(stored)).toBe(text);
    },
  );
});

describe('a value', () => {
  it.each([
    [{ a: [1, 'x', null, { b: true }] }, true],
    ['\ud83d', false],
    [{ $set: 1 }, false],
    [{ 'a.b': 1 }, false],
    [{ '': 1 }, false],
    [{ 'a\u0000': 1 }, false],
    [{ _bsontype: 'ObjectId' }, false],
    [JSON.parse('{"__proto__":1}'), false],
    [JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`), false],
  ])('%j is plain in BSON: %s', (value, isPlain) => {
    expect(isPlainBson(value)).toBe(isPlain);
  });
});
