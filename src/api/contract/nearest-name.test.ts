import { describe, expect, it } from 'vitest';
import { findNearestName } from './nearest-name.ts';

const KNOWN = ['priority', 'params', 'notBefore', 'delayMs', 'key'];

describe('findNearestName', () => {
  it.each([
    ['prioritty', 'priority'],
    ['Priority', 'priority'],
    ['prams', 'params'],
    ['not_before', 'notBefore'],
    ['delayms', 'delayMs'],
    ['kex', 'key'],
  ])('takes %s for %s', (given, meant) => {
    expect(findNearestName(given, KNOWN)).toBe(meant);
  });

  it.each(['', 'x', 'something else', 'k'.repeat(100_000)])('knows nothing near %j', (given) => {
    expect(findNearestName(given, KNOWN)).toBeNull();
  });
});
