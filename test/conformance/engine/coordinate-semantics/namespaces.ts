import { describe, expect, it } from 'vitest';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { expectRefusal } from '../scene.ts';
import { addOne, defineQueue } from './coordinate-queue.ts';

export function namespaceSemantics(subject: EngineUnderTest): void {
  describe('namespaces', () => {
    it('[CS NamespaceTrivial] a namespace is called what it was asked for', async () => {
      await using yard = await subject.open();

      expect(yard.engine.in('somewhere').namespace).toBe('somewhere');
      expect(yard.engine.in('').namespace).toBe('');
    });

    it('[CS Namespaces] the list has every namespace that was made, once', async () => {
      await using yard = await subject.open();
      await yard.engine.namespaces.create('made');
      await yard.engine.namespaces.create('made');

      const names = (await yard.engine.namespaces.list()).map(({ name }) => name);

      expect(names.filter((name) => name === 'made')).toEqual(['made']);
    });

    it('[CS SpecCreateDestroy] a queue is unknown, then there with its data, then gone', async () => {
      await using yard = await subject.open();
      const { queues } = yard.engine;
      await expectRefusal(queues.get('spec'), 'QUEUE_NOT_FOUND', { queue: 'spec' });
      expect((await queues.list()).items).toEqual([]);
      const data = { name: 'spec', min_gb: 1, nested: { list: [1, 2.5, 'x'] } };

      await defineQueue(yard.engine, 'spec', { data });

      expect((await queues.list()).items.map(({ name }) => name)).toEqual(['spec']);
      expect((await queues.get('spec')).data).toEqual(data);
      await queues.delete('spec', { tasks: 'delete' });
      expect((await queues.list()).items).toEqual([]);
      await expectRefusal(queues.get('spec'), 'QUEUE_NOT_FOUND', { queue: 'spec' });
      await expectRefusal(queues.delete('spec', { tasks: 'delete' }), 'QUEUE_NOT_FOUND', {
        queue: 'spec',
      });
    });

    it('[CS SpecErrors] a queue without a name, or with one that is no text, is refused', async () => {
      await using yard = await subject.open();

      await expectRefusal(defineQueue(yard.engine, ''), 'INVALID_REQUEST');
      await expectRefusal(defineQueue(yard.engine, 'a\u0000b'), 'INVALID_REQUEST');
      expect((await yard.engine.queues.list()).items).toEqual([]);
    });

    it('[CS TwoWorkSpecsBasic] two queues live independently', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'one');
      await defineQueue(yard.engine, 'two');
      await addOne(yard.engine, 'one', 'unit');
      await addOne(yard.engine, 'two', 'unit');

      await yard.engine.queues.delete('one', { tasks: 'delete' });

      expect((await yard.engine.queues.list()).items.map(({ name }) => name)).toEqual(['two']);
      expect((await yard.engine.tasks.findByKey('two', 'unit'))?.state).toBe('queued');
    });
  });
}
