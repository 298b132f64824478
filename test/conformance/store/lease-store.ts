import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/core/store/index.ts';
import { after, at, NOON, seconds } from '../../support/builders.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const OVER = after(NOON, seconds(6));

function acquire(store: Store, holder: string, now = NOON, name = 'planner') {
  return store.leases.acquire({ name, holder, ttlMs: seconds(6) }, at(now));
}

export function leaseStoreConformance(subject: StoreUnderTest): void {
  describe('leases', () => {
    it('go to the first who asks, under term 1', async () => {
      await using store = await subject.open();

      expect(await acquire(store, 'a')).toEqual({
        held: true,
        holder: 'a',
        term: 1,
        expiresAt: OVER,
      });
    });

    it('are refused to others while held, who are told by whom', async () => {
      await using store = await subject.open();
      await acquire(store, 'a');

      expect(await acquire(store, 'b', after(OVER, -1))).toEqual({
        held: false,
        holder: 'a',
        term: 1,
        expiresAt: OVER,
      });
    });

    it('are renewed by their holder under the same term, even when over', async () => {
      await using store = await subject.open();
      await acquire(store, 'a');

      const half = after(NOON, seconds(3));
      expect(await acquire(store, 'a', half)).toMatchObject({
        held: true,
        term: 1,
        expiresAt: after(half, seconds(6)),
      });
      const late = after(NOON, seconds(60));
      expect(await acquire(store, 'a', late)).toMatchObject({
        held: true,
        term: 1,
        expiresAt: after(late, seconds(6)),
      });
    });

    it('go to another at their end, under a higher term', async () => {
      await using store = await subject.open();
      await acquire(store, 'a');

      expect(await acquire(store, 'b', OVER)).toMatchObject({ held: true, holder: 'b', term: 2 });
      expect(await acquire(store, 'a', OVER)).toMatchObject({ held: false, holder: 'b', term: 2 });
    });

    it('have one holder, however many ask at once', async () => {
      await using store = await subject.open();

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => acquire(store, `holder-${index}`)),
      );

      const holders = answers.filter(({ held }) => held);
      expect(holders).toHaveLength(1);
      expect(new Set(answers.map(({ holder, term }) => `${holder} ${term}`)).size).toBe(1);
    });

    it('given back are free at once, and the next holder raises the term, be it the same', async () => {
      await using store = await subject.open();
      await acquire(store, 'a');

      expect(await store.leases.release('planner', 'a', at(NOON))).toBe('released');
      expect(await acquire(store, 'a')).toMatchObject({ held: true, term: 2 });
      await store.leases.release('planner', 'a', at(NOON));
      expect(await acquire(store, 'b')).toMatchObject({ held: true, holder: 'b', term: 3 });
    });

    it('are given back by their holder only, once, and while they last', async () => {
      await using store = await subject.open();
      const release = (holder: string, now = NOON) =>
        store.leases.release('planner', holder, at(now));
      expect(await release('a')).toBe('not-held');
      await acquire(store, 'a');

      expect(await release('b')).toBe('not-held');
      expect(await release('a', OVER)).toBe('not-held');
      expect(await acquire(store, 'b')).toMatchObject({ held: false, holder: 'a' });
      expect(await release('a')).toBe('released');
      expect(await release('a')).toBe('not-held');
    });

    it('of different names know nothing of each other', async () => {
      await using store = await subject.open();
      await acquire(store, 'a', NOON, 'planner');

      expect(await acquire(store, 'b', NOON, 'reaper')).toMatchObject({ held: true, term: 1 });
      expect(await store.leases.release('reaper', 'a', at(NOON))).toBe('not-held');
    });
  });
}
