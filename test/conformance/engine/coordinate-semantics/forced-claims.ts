import { describe, expect, it } from 'vitest';
import { hours } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { later, only, settle, stateOf } from '../scene.ts';
import { addOne, ask, askOne, defineQueue } from './coordinate-queue.ts';

/** What the door needs to set a unit's status by hand. */
export function forcedClaimSemantics(subject: EngineUnderTest): void {
  describe('words about a task from whoever has no fence', () => {
    it('[CS jobserver] an available task may be failed in the name of a node', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');

      const forced = await engine.attempts.claimTask(id, { node: 'somebody', force: true });
      await settle(engine, forced, 'failed', { final: true, error: 'traceback' });

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'failed', error: 'traceback' });
      expect(only(await engine.attempts.list(id)).node).toBe('somebody');
      expect(await ask(engine)).toEqual([]);
    });

    it('[CS jobserver] a delayed task may be finished in the name of a node', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit', { delayMs: hours(1) });
      expect(await ask(engine)).toEqual([]);

      const forced = await engine.attempts.claimTask(id, { node: 'somebody', force: true });
      await settle(engine, forced, 'succeeded');

      expect(await stateOf(engine, id)).toBe('succeeded');
    });

    it('[CS jobserver] a running task is given back and then failed by its parent', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit', { params: { from: 'add' } });
      await askOne(engine, { node: 'child' });

      await engine.attempts.renew([{ taskId: id, fence: null, leaseMs: 0, data: { half: 1 } }]);
      expect(await engine.tasks.get(id)).toMatchObject({ state: 'queued', result: null });

      const forced = await engine.attempts.claimTask(id, { node: 'parent', force: true });
      await settle(engine, forced, 'failed', { final: true });
      expect(await stateOf(engine, id)).toBe('failed');
      const nodes = (await engine.attempts.list(id)).map(({ node }) => node);
      expect(nodes).toEqual(['child', 'parent']);
    });

    it('[CS jobserver] whoever asks may renew and finish a running task', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);

      const renewed = only(
        await engine.attempts.renew([{ taskId: id, fence: null, leaseMs: hours(1) }]),
      );
      expect(renewed).toMatchObject({
        status: 'held',
        fence: claim.fence,
        expiresAt: later(clock.now(), hours(1)),
      });

      const answer = await settle(engine, { taskId: id, fence: null }, 'succeeded');
      expect(answer).toMatchObject({ status: 'applied', state: 'succeeded' });
    });

    it('[CS jobserver] finishing twice, and failing what has finished, change nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec', { nextQueue: 'next' });
      await defineQueue(engine, 'next');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      const emit = [{ key: 'out' }];
      await settle(engine, claim, 'succeeded', { output: { first: true }, emit });
      await settle(engine, await askOne(engine, { queues: ['next'] }), 'succeeded');

      const again = await settle(engine, claim, 'succeeded', { output: { second: true }, emit });
      await settle(engine, { taskId: id, fence: null }, 'failed', { final: true });

      expect(again.status).toBe('repeated');
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'succeeded',
        result: { first: true },
      });
      expect(await ask(engine, { queues: ['next'] })).toEqual([]);
    });

    it('[CS jobserver] a claim may say how long its lease is', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');

      const claim = await askOne(engine, { leaseMs: 1500 });

      expect(claim.expiresAt).toEqual(later(clock.now(), 1500));
      await clock.advance(1501);
      expect(await ask(engine)).toHaveLength(1);
    });
  });
}
