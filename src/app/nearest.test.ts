import { describe, expect, it } from 'vitest';
import { findNearest, suggest } from './nearest.ts';

describe('the nearest word', () => {
  it.each([
    ['sotre', 'store'],
    ['STORE', 'store'],
    ['listn', 'listen'],
    ['nodes', 'node'],
  ])('to "%s" is "%s"', (word, nearest) => {
    expect(findNearest(word, ['store', 'listen', 'node'])).toBe(nearest);
  });

  it('is none when nothing is near', () => {
    expect(findNearest('frobnicate', ['store', 'listen'])).toBeNull();
    expect(suggest('frobnicate', ['store'])).toBe('');
  });
});
