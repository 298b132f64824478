import { describe, expect, it } from 'vitest';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { countsOf, settle, withoutZeros } from '../scene.ts';
import { addOne, addOneOfEach, askOne, defineQueue, expire } from './coordinate-queue.ts';

export function countSemantics(subject: EngineUnderTest): void {
  describe('counts', () => {
    it('[CS MetaCounts] follow a task from queued to running and back, until it ends', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');
      const counts = async () => {
        const { queued, claimed, running } = await engine.queues.countsOf('spec');
        return [queued, claimed + running];
      };
      expect(await counts()).toEqual([1, 0]);

      const first = await askOne(engine);
      expect(await counts()).toEqual([0, 1]);
      await expire(engine, first);
      expect(await counts()).toEqual([1, 0]);

      const second = await askOne(engine);
      expect(await counts()).toEqual([0, 1]);
      await settle(engine, second, 'released', { delayMs: 0 });
      expect(await counts()).toEqual([1, 0]);

      await settle(engine, await askOne(engine), 'succeeded');
      expect(await counts()).toEqual([0, 0]);
    });

    it('[CS CountWorkUnitStatus] are exact for every state', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await addOneOfEach(yard.engine, 'spec');

      expect(await countsOf(yard.engine, 'spec')).toEqual({
        queued: 3,
        running: 1,
        succeeded: 1,
        failed: 1,
        delayed: 1,
      });
    });

    it('[CS Summarize] are the same of all namespaces, of one, and of a queue', async () => {
      await using yard = await subject.open();
      const engine = yard.engine.in('summarized');
      await defineQueue(engine, 'spec');
      const everywhere = async () =>
        (await yard.engine.namespaces.counts())
          .filter(({ namespace }) => namespace === 'summarized')
          .map(({ queue, counts }) => [queue, withoutZeros(counts)]);
      const here = async () =>
        (await engine.queues.counts()).map(({ queue, counts }) => [queue, withoutZeros(counts)]);
      expect(await everywhere()).toEqual([['spec', {}]]);
      expect(await here()).toEqual([['spec', {}]]);

      await addOne(engine, 'spec', 'unit');
      expect(await everywhere()).toEqual([['spec', { queued: 1 }]]);
      expect(await here()).toEqual([['spec', { queued: 1 }]]);

      await addOneOfEach(engine, 'spec');
      const all = { queued: 4, running: 1, succeeded: 1, failed: 1, delayed: 1 };
      expect(await everywhere()).toEqual([['spec', all]]);
      expect(await here()).toEqual([['spec', all]]);
      expect(await countsOf(engine, 'spec')).toEqual(all);
    });
  });
}
