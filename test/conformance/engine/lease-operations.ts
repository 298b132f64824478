import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/core/index.ts';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { later } from './scene.ts';

export function leaseOperations(subject: EngineUnderTest): void {
  describe('leases', () => {
    it('belong to the first who asks; others learn who holds them', async () => {
      await using yard = await subject.open();
      const expiresAt = later(yard.clock.now(), seconds(10));

      const mine = await acquire(yard.engine, 'one');
      const yours = await acquire(yard.engine, 'two');

      expect(mine).toEqual({ held: true, holder: 'one', term: mine.term, expiresAt });
      expect(yours).toEqual({ held: false, holder: 'one', term: mine.term, expiresAt });
    });

    it('are renewed by their holder under the same term', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const { term } = await acquire(engine, 'one');
      await clock.advance(seconds(8));

      const renewed = await acquire(engine, 'one');

      expect(renewed).toEqual({
        held: true,
        holder: 'one',
        term,
        expiresAt: later(clock.now(), seconds(10)),
      });
    });

    it('go to another under a higher term once they are over', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const { term } = await acquire(engine, 'one');
      await clock.advance(seconds(11));

      const taken = await acquire(engine, 'two');

      expect(taken).toMatchObject({ held: true, holder: 'two' });
      expect(taken.term).toBeGreaterThan(term);
      expect(await acquire(engine, 'one')).toMatchObject({ held: false, holder: 'two' });
    });

    it('are free at once when given back, under a higher term', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const { term } = await acquire(engine, 'one');

      await engine.leases.release('leader', 'one');

      const taken = await acquire(engine, 'two');
      expect(taken).toMatchObject({ held: true, holder: 'two' });
      expect(taken.term).toBeGreaterThan(term);
    });

    it('stay when somebody else gives them back, which is no error', async () => {
      await using yard = await subject.open();
      await yard.engine.leases.release('leader', 'nobody');
      await acquire(yard.engine, 'one');

      await yard.engine.leases.release('leader', 'two');

      expect(await acquire(yard.engine, 'two')).toMatchObject({ held: false, holder: 'one' });
    });

    it('have one holder, however many ask at once', async () => {
      await using yard = await subject.open();

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => acquire(yard.engine, `holder-${i}`)),
      );

      expect(answers.filter(({ held }) => held)).toHaveLength(1);
      expect(new Set(answers.map(({ holder }) => holder)).size).toBe(1);
    });

    it('of other names and namespaces do not meet', async () => {
      await using yard = await subject.open();
      await acquire(yard.engine, 'one');

      expect((await acquire(yard.engine.in('other'), 'two')).held).toBe(true);
      const other = { holder: 'two', ttlMs: seconds(1) };
      expect((await yard.engine.leases.acquire('other', other)).held).toBe(true);
    });
  });
}

function acquire(engine: Engine, holder: string) {
  return engine.leases.acquire('leader', { holder, ttlMs: seconds(10) });
}
