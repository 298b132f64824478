import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../../src/core/store/index.ts';
import { aNewTask, aSettlement, at, NOON } from '../../support/builders.ts';
import { addQueue, addTask, claimOne, getTask } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function storeLifeConformance(subject: StoreUnderTest): void {
  describe('store', () => {
    it('says what it can do', async () => {
      await using store = await subject.open();

      expect(store.capabilities).toEqual({
        label: expect.stringMatching(/./),
        durable: expect.any(Boolean),
        pushesWakeups: expect.any(Boolean),
      });
    });

    it('has a clock of its own that does not go back', async () => {
      await using store = await subject.open();

      const first = await store.now();
      const second = await store.now();

      expect(Number.isNaN(first.getTime())).toBe(false);
      expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime());
    });

    it('uses its own clock for a step whose now is null', async () => {
      await using store = await subject.open();
      const before = await store.now();
      const queue = await addQueue(store);

      const task = aNewTask({ delayMs: 60_000 });
      await store.tasks.submit(
        { queueId: queue.id, tasks: [task], onConflict: 'refuse' },
        { now: null },
      );

      const found = await store.tasks.find('default', task.id, { now: null });
      const after = await store.now();
      expect(found?.state).toBe('delayed');
      expect(found?.createdAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(found?.createdAt.getTime()).toBeLessThanOrEqual(after.getTime());
      expect((found?.notBefore?.getTime() ?? 0) - (found?.createdAt.getTime() ?? 0)).toBe(60_000);
    });

    it('shares nothing with its caller, on the way in or out', async () => {
      await using store = await subject.open();
      const params = { list: [1] };
      const key = Uint8Array.from([255, 1]);
      const labels: Record<string, string> = { team: 'a' };
      const notBefore = new Date(NOON);
      const queue = await addQueue(store);
      const id = await addTask(store, queue, { params, key, labels, notBefore });

      params.list.push(2);
      key[0] = 7;
      labels.team = 'b';
      notBefore.setTime(0);
      const first = await getTask(store, id);
      (first.params as { list: number[] }).list.push(3);
      (first.key as Uint8Array)[0] = 8;
      (first.labels as Record<string, string>).team = 'c';
      first.notBefore?.setTime(0);
      first.createdAt.setTime(0);

      expect(await getTask(store, id)).toMatchObject({
        params: { list: [1] },
        key: Uint8Array.from([255, 1]),
        labels: { team: 'a' },
        notBefore: NOON,
        createdAt: NOON,
      });
    });

    it('calls listeners with changes, if it does, until they are disposed of', async () => {
      await using store = await subject.open();
      const seen: StoreChange[] = [];
      const disposed: StoreChange[] = [];
      using _listening = store.onChange((change) => seen.push(change));
      store.onChange((change) => disposed.push(change))[Symbol.dispose]();
      const queue = await addQueue(store);

      await addTask(store, queue);
      const claim = await claimOne(store, queue);
      await store.attempts.settle('default', [aSettlement(claim)], at(NOON));
      await store.now();

      expect(disposed).toEqual([]);
      for (const change of seen) {
        expect(['ready', 'ended', 'output']).toContain(change.kind);
        expect(change).toMatchObject({ namespace: 'default', queueId: queue.id });
      }
    });

    it('closes twice without a word, and then says that it cannot be used', async () => {
      const store = await subject.open();

      await store.close();
      await store.close();

      await expect(store.queues.find('default', 'any')).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
      await expect(store.namespaces.ensure('any', at(NOON))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
    });

    it('finishes on closing what was begun', async () => {
      const store = await subject.open();

      const ensured = Array.from({ length: 20 }, (_, index) =>
        store.namespaces.ensure(`namespace-${index}`, at(NOON)),
      );
      await store.close();

      expect(await Promise.allSettled(ensured)).toEqual(
        ensured.map(() => ({ status: 'fulfilled', value: undefined })),
      );
    });
  });
}
