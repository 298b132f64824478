import { describe, expect, it } from 'vitest';
import { isSchemaName, splitSchema, toLabel, toStartOptions } from './connection-options.ts';

describe('the address of a database', () => {
  it.each([
    ['postgres://h/d', 'postgres://h/d', null],
    ['postgres://h/d?schema=yard', 'postgres://h/d', 'yard'],
    ['postgres://h/d?ssl=1&schema=yard', 'postgres://h/d?ssl=1', 'yard'],
    ['postgres://h/d?schema=yard&ssl=1', 'postgres://h/d?ssl=1', 'yard'],
    ['postgres://h/d?xschema=1', 'postgres://h/d?xschema=1', null],
  ])('%s may name the schema', (text, url, schema) => {
    expect(splitSchema(text)).toEqual({ url, schema });
  });

  it('is shown without its password', () => {
    expect(toLabel('postgres://u:secret@h:5433/d')).toBe('postgres://u@h:5433/d');
    expect(toLabel('no address with a secret')).toBe('postgres');
  });
});

describe('the settings of a connection', () => {
  it('put the schema first, and make one plan per statement', () => {
    const options = toStartOptions('steps', 'yard');

    expect(options).toContain('-c search_path="yard"');
    expect(options).toContain('-c plan_cache_mode=force_generic_plan');
  });

  it.each(['yard', '_1', 'A'])('take "%s" for a schema', (name) => {
    expect(isSchemaName(name)).toBe(true);
  });

  it.each(['', '1a', 'a b', 'a"b', "a'b", 'a;b', 'x'.repeat(60)])('refuse "%s"', (name) => {
    expect(isSchemaName(name)).toBe(false);
  });
});
