import { describe, expect, it } from 'vitest';
import { after, anAccessToken, at, bytes, NOON, seconds } from '../../support/builders.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const HASH = bytes(...Array(32).keys());

export function tokenStoreConformance(subject: StoreUnderTest): void {
  describe('tokens', () => {
    it('are found by their hash as they were given', async () => {
      await using store = await subject.open();
      const token = anAccessToken({
        name: 'deploy ✓',
        role: 'worker',
        namespaces: ['a', ''],
        createdAt: after(NOON, -1),
        expiresAt: after(NOON, seconds(10)),
      });

      expect(await store.tokens.insert(token, HASH, at(NOON))).toBe('inserted');

      expect(await store.tokens.findByHash(HASH, at(NOON))).toEqual(token);
      expect(await store.tokens.list()).toEqual([token]);
    });

    it('keep all namespaces apart from none', async () => {
      await using store = await subject.open();
      await store.tokens.insert(
        anAccessToken({ name: 'all', namespaces: null }),
        bytes(1),
        at(NOON),
      );
      await store.tokens.insert(
        anAccessToken({ name: 'none', namespaces: [] }),
        bytes(2),
        at(NOON),
      );

      expect((await store.tokens.list()).map(({ namespaces }) => namespaces)).toEqual([null, []]);
    });

    it('are not found by another hash', async () => {
      await using store = await subject.open();
      await store.tokens.insert(anAccessToken(), HASH, at(NOON));

      expect(await store.tokens.findByHash(HASH.slice(1), at(NOON))).toBeNull();
      expect(await store.tokens.findByHash(bytes(), at(NOON))).toBeNull();
    });

    it('are not found from their end on, but listed', async () => {
      await using store = await subject.open();
      const token = anAccessToken({ expiresAt: after(NOON, 1000) });
      await store.tokens.insert(token, HASH, at(NOON));

      expect(await store.tokens.findByHash(HASH, at(after(NOON, 999)))).toEqual(token);
      expect(await store.tokens.findByHash(HASH, at(after(NOON, 1000)))).toBeNull();
      expect(await store.tokens.list()).toEqual([token]);
    });

    it('answer `exists` for a name that is there, and change nothing', async () => {
      await using store = await subject.open();
      const first = anAccessToken({ name: 'one' });
      await store.tokens.insert(first, HASH, at(NOON));

      const answer = await store.tokens.insert(anAccessToken({ name: 'one' }), bytes(9), at(NOON));

      expect(answer).toBe('exists');
      expect(await store.tokens.findByHash(bytes(9), at(NOON))).toBeNull();
      expect(await store.tokens.findByHash(HASH, at(NOON))).toEqual(first);
    });

    it('are listed by name in order of UTF-16 code units', async () => {
      await using store = await subject.open();
      expect(await store.tokens.list()).toEqual([]);
      const names = ['b', '\uff5e', '😀', 'a', 'B'];
      for (const [index, name] of names.entries()) {
        await store.tokens.insert(anAccessToken({ name }), bytes(index), at(NOON));
      }

      expect((await store.tokens.list()).map(({ name }) => name)).toEqual(names.toSorted());
    });

    it('are deleted once, and their name and hash are free', async () => {
      await using store = await subject.open();
      await store.tokens.insert(anAccessToken(), HASH, at(NOON));

      expect(await store.tokens.delete('nobody', at(NOON))).toBe('missing');
      expect(await store.tokens.delete('token-1', at(NOON))).toBe('deleted');
      expect(await store.tokens.delete('token-1', at(NOON))).toBe('missing');
      expect(await store.tokens.findByHash(HASH, at(NOON))).toBeNull();
      expect(await store.tokens.insert(anAccessToken(), HASH, at(NOON))).toBe('inserted');
    });
  });
}
