import { expect, it } from 'vitest';
import type { Random } from '../core/index.ts';
import { createBackoff } from './backoff.ts';

const always = (value: number): Random => ({ next: () => value, bytes: () => new Uint8Array() });

it('waits up to a bound that doubles until its maximum, and begins anew after a reset', () => {
  const backoff = createBackoff(always(1), { baseMs: 100, maxMs: 500 });

  const waits = [1, 2, 3, 4, 5].map(() => backoff.nextMs());
  backoff.reset();

  expect(waits).toEqual([100, 200, 400, 500, 500]);
  expect(backoff.nextMs()).toBe(100);
});

it('waits a random part of the bound, down to nothing, so that nodes do not come back together', () => {
  expect(createBackoff(always(0), { baseMs: 100, maxMs: 500 }).nextMs()).toBe(0);
  expect(createBackoff(always(0.5), { baseMs: 100, maxMs: 500 }).nextMs()).toBe(50);
});
