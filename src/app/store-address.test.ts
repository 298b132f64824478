import { describe, expect, it } from 'vitest';
import {
  formatStoreAddress,
  parseStoreAddress,
  resolveStoreAddress,
  type StoreAddress,
} from './store-address.ts';

describe('the address of a store', () => {
  it.each([
    ['memory', { kind: 'memory' }],
    ['sqlite::memory:', { kind: 'memory' }],
    ['sqlite:yard.db', { kind: 'sqlite', file: 'yard.db' }],
    ['sqlite:/var/yard.db', { kind: 'sqlite', file: '/var/yard.db' }],
    ['sqlite:///var/yard.db', { kind: 'sqlite', file: '/var/yard.db' }],
    ['postgres://u@h/d', { kind: 'postgres', url: 'postgres://u@h/d' }],
    ['postgresql://h', { kind: 'postgres', url: 'postgresql://h' }],
    ['mongodb://a,b/d?replicaSet=r', { kind: 'mongodb', url: 'mongodb://a,b/d?replicaSet=r' }],
    ['mongodb+srv://h/d', { kind: 'mongodb', url: 'mongodb+srv://h/d' }],
  ])('%s', (text, address) => {
    expect(parseStoreAddress(text)).toEqual(address);
  });

  it.each(['', 'yard.db', 'sqlite:', 'mysql://u:secret@h/d', 'https://u:secret@h'])(
    'is not "%s", and the answer repeats no password',
    (text) => {
      const answer = parseStoreAddress(text);

      expect(answer).toEqual(expect.stringMatching(/sqlite:FILE/));
      expect(answer).not.toContain('secret');
    },
  );

  it.each(['postgres:u:secret@h', 'mongodb:', 'postgres:///secret'])(
    'of a database names its host: not "%s"',
    (text) => {
      const answer = parseStoreAddress(text);

      expect(answer).toEqual(expect.stringMatching(/USER@HOST\/DATABASE/));
      expect(answer).not.toContain('secret');
    },
  );

  it.each([
    ['postgres://u:secret@h/d', 'postgres://u:********@h/d'],
    ['mongodb://u:se%40cret@a,b:27018/d', 'mongodb://u:********@a,b:27018/d'],
    ['postgres://u@h/d', 'postgres://u@h/d'],
  ])('%s is shown without its password', (text, shown) => {
    expect(formatStoreAddress(parseStoreAddress(text) as StoreAddress)).toBe(shown);
  });

  it('is the same from every folder once it is resolved', () => {
    const address = resolveStoreAddress({ kind: 'sqlite', file: 'yard.db' }, '/srv');

    expect(formatStoreAddress(address)).toBe('sqlite:/srv/yard.db');
  });
});
