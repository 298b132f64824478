import { describe, expect, it } from 'vitest';
import { findNearestName, suggest } from './nearest-name.ts';

const KNOWN = ['priority', 'params', 'notBefore', 'delayMs', 'key', 'store', 'listen', 'node'];

describe('the nearest name', () => {
  it.each([
    ['sotre', 'store'],
    ['STORE', 'store'],
    ['listn', 'listen'],
    ['nodes', 'node'],
    ['prioritty', 'priority'],
    ['not_before', 'notBefore'],
    ['delayms', 'delayMs'],
    ['kex', 'key'],
  ])('to "%s" is "%s"', (word, nearest) => {
    expect(findNearestName(word, KNOWN)).toBe(nearest);
  });

  it.each(['', 'x', 'something else', 'k'.repeat(100_000)])('is none to %j', (word) => {
    expect(findNearestName(word, KNOWN)).toBeNull();
    expect(suggest(word, KNOWN)).toBe('');
  });
});
