import { describe, expect, it } from 'vitest';
import { hours } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { expectRefusal, later } from './scene.ts';

export function tokenOperations(subject: EngineUnderTest): void {
  describe('tokens', () => {
    it('give their secret once and never again', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const expiresAt = later(clock.now(), hours(1));
      const request = { name: 'ci', role: 'submitter', namespaces: ['a'], expiresAt } as const;

      const { token, secret } = await engine.tokens.create(request);

      expect(secret.length).toBeGreaterThanOrEqual(32);
      expect(token).toEqual({ ...request, id: token.id, createdAt: clock.now() });
      const listed = await engine.tokens.list();
      expect(listed).toContainEqual(token);
      expect(JSON.stringify(listed)).not.toContain(secret);
    });

    it('are for all namespaces and for ever, unless said otherwise', async () => {
      await using yard = await subject.open();

      const { token } = await yard.engine.tokens.create({ name: 'all', role: 'viewer' });

      expect(token).toMatchObject({ namespaces: null, expiresAt: null });
    });

    it('have each a secret and a name of their own', async () => {
      await using yard = await subject.open();
      const one = await yard.engine.tokens.create({ name: 'one', role: 'viewer' });
      const two = await yard.engine.tokens.create({ name: 'two', role: 'viewer' });

      expect(one.secret).not.toBe(two.secret);
      const again = yard.engine.tokens.create({ name: 'one', role: 'admin' });
      await expectRefusal(again, 'TOKEN_EXISTS', { token: 'one' });
    });

    it('are gone once revoked', async () => {
      await using yard = await subject.open();
      await yard.engine.tokens.create({ name: 'ci', role: 'viewer' });

      await yard.engine.tokens.revoke('ci');

      expect((await yard.engine.tokens.list()).map(({ name }) => name)).not.toContain('ci');
      await expectRefusal(yard.engine.tokens.revoke('ci'), 'TOKEN_NOT_FOUND', { token: 'ci' });
    });
  });
}
