import { describe, expect, it } from 'vitest';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { countsOf, expectRefusal } from '../scene.ts';
import { addOne, defineQueue } from './coordinate-queue.ts';

export function queueDefinitionSemantics(subject: EngineUnderTest): void {
  describe('queue definitions', () => {
    it('[CS ChangeSpecData] define replaces all data, and a refused one leaves them as they were', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', { data: { name: 'spec', min_gb: 1 } });

      await defineQueue(yard.engine, 'spec', { data: { name: 'spec', foo: 'bar' } });

      expect((await yard.engine.queues.get('spec')).data).toEqual({ name: 'spec', foo: 'bar' });
      const bad = defineQueue(yard.engine, 'spec', { weight: -1, data: { name: 'other' } });
      await expectRefusal(bad, 'INVALID_REQUEST');
      expect((await yard.engine.queues.get('spec')).data).toEqual({ name: 'spec', foo: 'bar' });
    });

    it('[CS DataEmptyList] an empty list inside the data comes back as an empty list', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', { data: { config: { list: [] } } });

      expect((await yard.engine.queues.get('spec')).data).toEqual({ config: { list: [] } });
    });

    it('[CS DefaultMeta] a queue of which nothing is said has the defaults', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.define('spec', {});

      expect(await yard.engine.queues.get('spec')).toMatchObject({
        priority: 0,
        weight: 20,
        paused: false,
        continuous: false,
        canBeContinuous: false,
        intervalMs: 0,
        nextContinuousAt: null,
        maxRunning: null,
        maxPerClaim: null,
        maxClaims: null,
        nextQueue: null,
        runtime: '',
      });
      expect(await countsOf(yard.engine, 'spec')).toEqual({});
    });

    it('[CS PrefilledMeta] everything the definition says is kept', async () => {
      await using yard = await subject.open();
      const said = {
        priority: 10,
        weight: 200,
        paused: true,
        continuous: true,
        intervalMs: 60_000,
        maxRunning: 30,
        maxPerClaim: 3,
        maxClaims: 2,
        nextQueue: 'spec2',
        runtime: 'go',
      };

      await defineQueue(yard.engine, 'spec', said);

      const queue = await yard.engine.queues.get('spec');
      expect(queue).toMatchObject({ ...said, canBeContinuous: true });
    });

    it('[CS SetDataSetsMeta] defining again recomputes everything from the new definition', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', { priority: 10, paused: true, maxRunning: 3 });

      await defineQueue(yard.engine, 'spec', { weight: 200 });

      expect(await yard.engine.queues.get('spec')).toMatchObject({
        priority: 0,
        weight: 200,
        paused: false,
        maxRunning: null,
      });
    });

    it('[CS NiceWeight] weights from 1 up without a ceiling are kept, as the door makes them of nice', async () => {
      await using yard = await subject.open();

      for (const weight of [15, 1, 100, 20]) {
        expect((await defineQueue(yard.engine, 'spec', { weight })).weight).toBe(weight);
      }
    });

    it('[CS SetMeta] set changes what is given and nothing else', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', {
        continuous: true,
        nextQueue: 'next',
        runtime: 'go',
      });
      await addOne(yard.engine, 'spec', 'unit');
      const change = {
        priority: 10,
        weight: 22,
        paused: true,
        continuous: false,
        intervalMs: 60_000,
        maxRunning: 99,
        maxPerClaim: 3,
        maxClaims: 2,
      };

      await yard.engine.queues.set('spec', change);

      expect(await yard.engine.queues.get('spec')).toMatchObject({
        ...change,
        canBeContinuous: true,
        nextQueue: 'next',
        runtime: 'go',
      });
      expect(await countsOf(yard.engine, 'spec')).toEqual({ queued: 1 });
    });

    it('[CS MetaContinuous] continuous stays off where the definition did not say so', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');

      await yard.engine.queues.set('spec', { continuous: true });

      const queue = await yard.engine.queues.get('spec');
      expect(queue).toMatchObject({ continuous: false, canBeContinuous: false });
    });

    it('[CS SpecDeletedGone] a deleted queue is gone for whoever still asks', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await yard.engine.queues.delete('spec', { tasks: 'delete' });

      const gone = { queue: 'spec' };
      await expectRefusal(yard.engine.queues.get('spec'), 'QUEUE_NOT_FOUND', gone);
      await expectRefusal(yard.engine.queues.countsOf('spec'), 'QUEUE_NOT_FOUND', gone);
      await expectRefusal(addOne(yard.engine, 'spec', 'unit'), 'QUEUE_NOT_FOUND', gone);
    });

    it('[CS SpecInNamespaceGone] a queue is gone with its namespace', async () => {
      await using yard = await subject.open();
      const engine = yard.engine.in('doomed');
      await defineQueue(engine, 'spec');
      await yard.engine.namespaces.delete('doomed');

      await expectRefusal(engine.queues.get('spec'), 'QUEUE_NOT_FOUND', { queue: 'spec' });
      await expectRefusal(addOne(engine, 'spec', 'unit'), 'QUEUE_NOT_FOUND', { queue: 'spec' });
    });
  });
}
