import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchError } from '../../core/index.ts';
import { DEEPEST_JSON, readJson } from './json-body.ts';

function read(text: string): unknown {
  return readJson(Buffer.from(text));
}

function problemOf(text: string): string {
  try {
    read(text);
    return 'none';
  } catch (error) {
    if (error instanceof BatchError) return error.message;
    throw error;
  }
}

describe('readJson', () => {
  it('reads whatever JSON can say', () => {
    const forbidden = /__proto__|constructor|prototype/;
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!forbidden.test(text));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '"\\\\"',
    '"\\""',
    '"[[[[ {{{{ 99999999999999999999 \\" ]"',
    '["\\\\\\"", 1, "\\\\"]',
    '{"a\\\\":"]"}',
    ' [ 1 , -2 , 3.5e-7 , 1E5 , 0 ] ',
  ])('is not led astray by %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '9007199254740992',
    '9007199254740994',
    '18446744073709552000',
    '18446744073709551616',
    '100000000000000000000',
    '10000000000000000000000',
    '-18446744073709552000',
    '0.1234567890123456789',
    '1e308',
    '123456789012345678e5',
  ])('takes the number %s, which is not rounded or is no whole number', (text) => {
    expect(problemOf(text)).toBe('none');
  });

  it.each(['9007199254740993', '12345678901234567890', '-12345678901234567890'])(
    'refuses the number %s, which would come back as another',
    (text) => {
      expect(problemOf(`{"n":[${text}]}`)).toMatch(/would be rounded to .*Send it as text/);
    },
  );

  it.each(['1e309', '1E400', `1${'0'.repeat(310)}`])('refuses the number %s', (text) => {
    expect(problemOf(text)).toMatch(/too big for a number/);
  });

  it('takes nesting up to its bound, however it is made', () => {
    const nested = (levels: number, open: string, close: string): string =>
      open.repeat(levels) + (open === '[' ? '' : '1') + close.repeat(levels);

    expect(problemOf(nested(DEEPEST_JSON, '[', ']'))).toBe('none');
    expect(problemOf(nested(DEEPEST_JSON, '{"a":', '}'))).toBe('none');
    expect(problemOf(nested(DEEPEST_JSON + 1, '[', ']'))).toMatch(/nested too deeply/);
    expect(problemOf(nested(DEEPEST_JSON + 1, '{"a":', '}'))).toMatch(/nested too deeply/);
    expect(problemOf(`[${'[],'.repeat(1000)}[]]`)).toBe('none');
  });

  it('says where bad JSON goes wrong', () => {
    expect(problemOf('{"a": 1,}')).toBe('body: it is not JSON at character 8. Send one JSON value');
  });

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'const\\u0072uctor'])(
    'refuses the name %s wherever it stands',
    (name) => {
      expect(problemOf(`[{"a":[[{"${name}":1}]]}]`)).toMatch(/^\[0\]\.a\[0\]\[0\]\.\w+: /);
    },
  );

  it('takes such a name as a value', () => {
    expect(read('{"a":"__proto__","b":["constructor"]}')).toEqual({
      a: '__proto__',
      b: ['constructor'],
    });
  });
});
