import { describe, expect, it } from 'vitest';
import type { Claim, Engine } from '../../../../src/core/index.ts';
import { minutes } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { settle, statesByKey } from '../scene.ts';
import { add, addOne, ask, askOne, defineQueue, expire } from './coordinate-queue.ts';

export function claimLimitSemantics(subject: EngineUnderTest): void {
  describe('limits on claims', () => {
    it('[CS MaxRetries] two attempts are allowed; the third request fails the task', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec', { maxClaims: 2 });
      const id = await addOne(engine, 'spec', 'unit');
      for (let i = 0; i < 2; i += 1) {
        await askOne(engine);
        await clock.advance(minutes(16));
      }

      expect(await ask(engine)).toEqual([]);

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'failed',
        error: 'too many retries',
      });
    });

    it('[CS MaxRetriesMulti] a task beyond its limit gives up its place in the claim', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const [a, b] = await claimTwo(engine);
      await settle(engine, a, 'succeeded');
      await expire(engine, b);

      expect((await ask(engine, { limit: 10 })).map(({ key }) => key)).toEqual(['c']);

      expect(await statesByKey(engine, 'spec')).toEqual({
        a: 'succeeded',
        b: 'failed',
        c: 'running',
        d: 'queued',
      });
    });

    it('[CS MaxRetriesMultiBatch] when all of a claim are beyond it, it goes on with the next', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const claim of await claimTwo(engine)) await expire(engine, claim);

      expect((await ask(engine, { limit: 10 })).map(({ key }) => key)).toEqual(['c', 'd']);

      expect(await statesByKey(engine, 'spec')).toMatchObject({ a: 'failed', b: 'failed' });
    });
  });
}

/** Two of four tasks, in order: the queue gives two at a time, and each only once. */
async function claimTwo(engine: Engine): Promise<[Claim, Claim]> {
  await defineQueue(engine, 'spec', { maxPerClaim: 2, maxClaims: 1 });
  await add(engine, 'spec', ...['a', 'b', 'c', 'd'].map((key) => ({ key })));
  const claims = await ask(engine, { limit: 10 });
  expect(claims.map(({ key }) => key)).toEqual(['a', 'b']);
  return claims as [Claim, Claim];
}
