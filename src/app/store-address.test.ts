import { describe, expect, it } from 'vitest';
import { formatStoreAddress, parseStoreAddress, resolveStoreAddress } from './store-address.ts';

describe('the address of a store', () => {
  it.each([
    ['memory', { kind: 'memory' }],
    ['sqlite::memory:', { kind: 'memory' }],
    ['sqlite:yard.db', { kind: 'sqlite', file: 'yard.db' }],
    ['sqlite:/var/yard.db', { kind: 'sqlite', file: '/var/yard.db' }],
    ['sqlite:///var/yard.db', { kind: 'sqlite', file: '/var/yard.db' }],
  ])('%s', (text, address) => {
    expect(parseStoreAddress(text)).toEqual(address);
  });

  it.each(['', 'yard.db', 'sqlite:', 'postgres://u:secret@h/d', 'mongodb+srv://u:secret@h/d'])(
    'is not "%s", and the answer repeats no password',
    (text) => {
      const answer = parseStoreAddress(text);

      expect(answer).toEqual(expect.stringMatching(/sqlite:FILE/));
      expect(answer).not.toContain('secret');
    },
  );

  it('is the same from every folder once it is resolved', () => {
    const address = resolveStoreAddress({ kind: 'sqlite', file: 'yard.db' }, '/srv');

    expect(formatStoreAddress(address)).toBe('sqlite:/srv/yard.db');
  });
});
