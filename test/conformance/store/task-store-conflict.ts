import { describe, expect, it } from 'vitest';
import { aKeyedTask, aNewTask, textBytes } from '../../support/builders.ts';
import {
  addQueue,
  addTask,
  expectExactCounts,
  getTask,
  listTasks,
  someCounts,
  submit,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function conflictConformance(subject: StoreUnderTest): void {
  describe('submitting a key that stands in the queue', () => {
    it('with `skip` leaves the task as it is and names it', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { key: textBytes('a'), params: 1 });
      const fresh = aKeyedTask('b');

      const answer = await submit(store, queue, [aKeyedTask('a', { params: 2 }), fresh], 'skip');

      expect(answer).toEqual({
        status: 'submitted',
        tasks: [
          { id, outcome: 'skipped' },
          { id: fresh.id, outcome: 'created' },
        ],
      });
      expect((await getTask(store, id)).params).toBe(1);
    });

    it('with `refuse` says which task met which, and adds none of the call', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { key: textBytes('b'), params: 1 });

      const answer = await submit(
        store,
        queue,
        [aKeyedTask('a'), aKeyedTask('b', { params: 2 }), aKeyedTask('c')],
        'refuse',
      );

      expect(answer).toEqual({ status: 'refused', index: 1, id });
      expect(await listTasks(store)).toMatchObject([{ id, params: 1 }]);
      await expectExactCounts(store);
    });

    it('refuses, after which the keys of the refused call are free', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { key: textBytes('b') });
      await submit(store, queue, [aKeyedTask('a'), aKeyedTask('b')], 'refuse');

      const answer = await submit(store, queue, [aKeyedTask('a')], 'refuse');

      expect(answer.status).toBe('submitted');
    });

    it('meets the earlier one when a key comes twice in one call', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const pair = () => [aKeyedTask('a', { params: 1 }), aKeyedTask('a', { params: 2 })] as const;

      const [one, two] = pair();
      expect(await submit(store, queue, [one, two], 'refuse')).toEqual({
        status: 'refused',
        index: 1,
        id: one.id,
      });
      const [three, four] = pair();
      expect(await submit(store, queue, [three, four], 'replace')).toEqual({
        status: 'submitted',
        tasks: [
          { id: three.id, outcome: 'created' },
          { id: three.id, outcome: 'replaced' },
        ],
      });
      expect(await listTasks(store)).toMatchObject([{ id: three.id, params: 2 }]);
      await expectExactCounts(store);
    });

    it('knows keys by their bytes, and in their own queue only', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const other = await addQueue(store);
      await addTask(store, other, { key: textBytes('a') });

      const answer = await submit(
        store,
        queue,
        [
          aKeyedTask('a'),
          aKeyedTask('A'),
          aKeyedTask('a '),
          aKeyedTask(''),
          aKeyedTask('\u0000'),
          aNewTask(),
          aNewTask(),
        ],
        'refuse',
      );

      expect(answer.status).toBe('submitted');
      expect(await someCounts(store, queue)).toEqual({ queued: 7 });
    });

    it('makes one task of a key, however many submit it at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      for (const onConflict of ['skip', 'replace', 'refuse'] as const) {
        const key = `raced ${onConflict}`;
        await Promise.all(
          Array.from({ length: 8 }, () => submit(store, queue, [aKeyedTask(key)], onConflict)),
        );
      }

      expect(await someCounts(store, queue)).toEqual({ queued: 3 });
    });

    it('lets eight submit the same thousand keys at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const batches = Array.from({ length: 10 }, (_, batch) =>
        Array.from({ length: 100 }, (_, index) => `key ${batch * 100 + index}`),
      );

      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (const keys of batches) {
            await submit(
              store,
              queue,
              keys.map((key) => aKeyedTask(key)),
              'replace',
            );
          }
        }),
      );

      expect(await someCounts(store, queue)).toEqual({ queued: 1000 });
    });
  });
}
