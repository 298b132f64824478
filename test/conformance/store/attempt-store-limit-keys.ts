import { describe, expect, it } from 'vitest';
import type { Json, Store } from '../../../src/core/store/index.ts';
import { aClaim, aSettlement, at, goTo, NOON, textBytes } from '../../support/builders.ts';
import { addClaimed, addQueue, addTask, changeQueue } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const TENANT = { name: 'tenant', by: 'tenant', max: 1, perMs: null };
const HOST = { name: 'host', by: 'job.host', max: 1, perMs: null };

async function claimAll(store: Store, { id: queueId }: { id: string }): Promise<string[]> {
  const claims = await store.attempts.claim(aClaim({ queueId, limit: 9 }), at(NOON));
  return claims.map(({ taskId }) => taskId);
}

function edit(store: Store, id: string, params: Json) {
  return store.tasks.edit({ namespace: 'default', ids: [id], change: { params } }, at(NOON));
}

/** Keyed limits go by what the params say. */
export function limitKeyConformance(subject: StoreUnderTest): void {
  describe('the keys that a task counts for', () => {
    it('are read from the params, nested ones too; values of all types count', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits: [HOST] });
      const first = await addTask(store, queue, { params: { job: { host: 7 } } });
      await addTask(store, queue, { params: { job: { host: 7 } } });
      const none = await addTask(store, queue, { params: ['job'] });
      await addTask(store, queue, { params: { job: { host: null } } });

      expect(await claimAll(store, queue)).toEqual([first, none]);
    });

    it('change with the params of a task that waits', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits: [TENANT] });
      await addClaimed(store, queue, { params: { tenant: 'a' } });
      const waiting = await addTask(store, queue, { params: { tenant: 'a' } });
      expect(await claimAll(store, queue)).toEqual([]);

      await edit(store, waiting, { tenant: 'b' });

      expect(await claimAll(store, queue)).toEqual([waiting]);
    });

    it('stay with a live task whose params change, until it waits again', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits: [TENANT] });
      const live = await addClaimed(store, queue, { params: { tenant: 'a' } });
      await edit(store, live.taskId, { tenant: 'b' });
      const a = await addTask(store, queue, { params: { tenant: 'a' } });
      const b = await addTask(store, queue, { params: { tenant: 'b' } });
      expect(await claimAll(store, queue)).toEqual([b]);

      const released = aSettlement(live, { outcome: 'released', next: goTo('queued') });
      await store.attempts.settle('default', [released], at(NOON));

      expect(await claimAll(store, queue)).toEqual([a]);
    });

    it('are those of the params that a task goes on with', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { limits: [TENANT] });
      const live = await addClaimed(store, queue, { params: { tenant: 'a' } });
      const again = { rank: textBytes('z'), params: { tenant: 'b' } };
      const goOn = aSettlement(live, { outcome: 'continued', next: goTo('queued'), again });
      const a = await addTask(store, queue, { params: { tenant: 'a' } });

      await store.attempts.settle('default', [goOn], at(NOON));

      expect((await claimAll(store, queue)).sort()).toEqual([live.taskId, a].sort());
    });

    it('are read anew when the limits of the queue change, of waiting and live tasks', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const both = { tenant: 'a', job: { host: 'x' } };
      await addClaimed(store, queue, { params: both });
      await addTask(store, queue, { params: both });
      await addTask(store, queue, { params: { ...both, tenant: 'b' } });
      const free = await addTask(store, queue, { params: { tenant: 'c', job: { host: 'y' } } });

      await changeQueue(store, queue, { limits: [TENANT, HOST] });

      expect(await claimAll(store, queue)).toEqual([free]);
      await changeQueue(store, queue, { limits: [HOST, TENANT] });
      expect(await claimAll(store, queue)).toEqual([]);
      await changeQueue(store, queue, { limits: [] });
      expect(await claimAll(store, queue)).toHaveLength(2);
    });

    it('are known of a task that was held, or had ended, when the limits came', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const done = await addClaimed(store, queue, { params: { tenant: 'a' } });
      await store.attempts.settle('default', [aSettlement(done)], at(NOON));
      const held = await addTask(store, queue, { params: { tenant: 'b' }, hold: 'operator' });
      await changeQueue(store, queue, { limits: [TENANT] });
      for (const tenant of ['a', 'b']) await addClaimed(store, queue, { params: { tenant } });

      const ids = [done.taskId, held];
      await store.tasks.move({ namespace: 'default', ids: [held], move: 'release' }, at(NOON));
      await store.tasks.move({ namespace: 'default', ids: [done.taskId], move: 'retry' }, at(NOON));

      expect(await claimAll(store, queue)).toEqual([]);
      await changeQueue(store, queue, { limits: [{ ...TENANT, max: 2 }] });
      expect((await claimAll(store, queue)).sort()).toEqual(ids.sort());
    });
  });
}
