import { expect, it } from 'vitest';
import { createStoreTime } from './store-time.ts';

it('says nothing before it has seen the store’s clock', () => {
  expect(createStoreTime().toLocalMs(new Date(0))).toBeNull();
});

it('gives the earliest local instant at which the store’s clock can show a time', () => {
  const time = createStoreTime();
  // Sent at 1,000 on our clock; the store read its clock at 50,000, some time later.
  time.observe(new Date(50_000), 1000);

  expect(time.toLocalMs(new Date(80_000))).toBe(31_000);
});

it('follows the store’s clock when it is set', () => {
  const time = createStoreTime();
  time.observe(new Date(50_000), 1000);
  time.observe(new Date(3_650_000), 1000);

  expect(time.toLocalMs(new Date(3_680_000))).toBe(31_000);
});
