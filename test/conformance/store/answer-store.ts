import { describe, expect, it } from 'vitest';
import type { Mutation, Store } from '../../../src/core/store/index.ts';
import {
  aBeat,
  after,
  aNewQueue,
  aNewTask,
  anAccessToken,
  at,
  bytes,
  hours,
  NOON,
} from '../../support/builders.ts';
import { addQueue, addTask, countsOf, expectExactCounts, getQueue } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

type Repeat = (step: Mutation) => Promise<unknown>;

/**
 * Every mutation, prepared so that taking it a second time without a key would change
 * something or be answered otherwise.
 */
const MUTATIONS: Readonly<Record<string, (store: Store) => Promise<Repeat>>> = {
  'namespaces.delete': async (store) => {
    await store.namespaces.ensure('doomed', at(NOON));
    return (step) => store.namespaces.delete('doomed', step);
  },
  'queues.insert': async (store) => {
    const queue = aNewQueue();
    return (step) => store.queues.insert(queue, step);
  },
  'queues.update': async (store) => {
    const queue = await getQueue(store, await addQueue(store));
    const settings = { ...queue, weight: 7, data: { since: 'noon' } };
    return (step) =>
      store.queues.update({ id: queue.id, revision: queue.revision, settings }, step);
  },
  'queues.delete': async (store) => {
    const { id } = await addQueue(store);
    return (step) => store.queues.delete({ id, tasks: 'refuse' }, step);
  },
  'queues.admit': async (store) => {
    const queue = await addQueue(store, { admission: 'gated' });
    await addTask(store, queue);
    return (step) => store.queues.admit({ queueId: queue.id, limit: 1, lease: null }, step);
  },
  'tasks.submit': async (store) => {
    const queue = await addQueue(store);
    const tasks = [aNewTask({ key: bytes(1) })];
    return (step) => store.tasks.submit({ queueId: queue.id, tasks, onConflict: 'refuse' }, step);
  },
  'tasks.move': async (store) => {
    const id = await addTask(store, await addQueue(store));
    return (step) => store.tasks.move({ namespace: 'default', ids: [id], move: 'cancel' }, step);
  },
  'tasks.edit': async (store) => {
    const queue = await addQueue(store);
    const id = await addTask(store, queue, { params: { a: [1] }, key: bytes(0, 255) });
    return (step) =>
      store.tasks.edit({ namespace: 'default', ids: [id], change: { priorityBy: 5 } }, step);
  },
  'tasks.delete': async (store) => {
    const id = await addTask(store, await addQueue(store));
    return (step) => store.tasks.delete({ namespace: 'default', ids: [id] }, step);
  },
  'nodes.update': async (store) => {
    await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    return (step) => store.nodes.update('default', 'node-1', { maxRunning: 3 }, step);
  },
  'nodes.deactivate': async (store) => {
    await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    return async (step) => {
      const answer = await store.nodes.deactivate('default', 'node-1', step);
      // Forgotten, so that only a kept answer can be the same.
      await store.nodes.delete('default', 'node-1', at(NOON));
      return answer;
    };
  },
  'nodes.delete': async (store) => {
    await store.nodes.heartbeat('default', [aBeat()], at(NOON));
    return (step) => store.nodes.delete('default', 'node-1', step);
  },
  'tokens.insert': async (store) => {
    const token = anAccessToken();
    return (step) => store.tokens.insert(token, bytes(1), step);
  },
  'tokens.delete': async (store) => {
    await store.tokens.insert(anAccessToken(), bytes(1), at(NOON));
    return (step) => store.tokens.delete('token-1', step);
  },
};

export function answerStoreConformance(subject: StoreUnderTest): void {
  describe('once', () => {
    it.each(Object.keys(MUTATIONS))('gives %s, repeated, its first answer', async (name) => {
      await using store = await subject.open();
      const repeat = await MUTATIONS[name]?.(store);

      const first = await repeat?.(at(NOON, 'key'));
      const counts = await store.queues.counts(null, at(NOON));
      const second = await repeat?.(at(after(NOON, hours(23)), 'key'));

      expect(second).toEqual(first);
      expect(await store.queues.counts(null, at(NOON))).toEqual(counts);
      expect(await store.answers.find('key', at(NOON))).toEqual({
        fingerprint: 'same request',
        answer: first,
      });
      await expectExactCounts(store);
    });

    it('changes nothing when namespaces.ensure is repeated', async () => {
      await using store = await subject.open();
      await store.namespaces.ensure('made-once', at(NOON, 'key'));
      await store.namespaces.delete('made-once', at(NOON));

      await store.namespaces.ensure('made-once', at(NOON, 'key'));

      expect(await store.namespaces.list()).toEqual([]);
    });

    it('changes nothing when a repeated edit would add up', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store));
      const edit = { namespace: 'default', ids: [id], change: { priorityBy: 5 } };

      await store.tasks.edit(edit, at(NOON, 'key'));
      await store.tasks.edit(edit, at(NOON, 'key'));

      expect((await store.tasks.find('default', id, at(NOON)))?.priority).toBe(5);
    });

    it('makes one change, however many calls with one key come at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      const answers = await Promise.all(
        Array.from({ length: 10 }, () => {
          const submission = {
            queueId: queue.id,
            tasks: [aNewTask()],
            onConflict: 'skip',
          } as const;
          return store.tasks.submit(submission, at(NOON, 'key'));
        }),
      );

      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect((await countsOf(store, queue.id)).queued).toBe(1);
    });

    it('keeps answers that say no as well', async () => {
      await using store = await subject.open();
      const queue = aNewQueue({ name: 'late' });
      const submission = { queueId: queue.id, tasks: [aNewTask()], onConflict: 'refuse' } as const;

      const first = await store.tasks.submit(submission, at(NOON, 'key'));
      await store.queues.insert(queue, at(NOON));
      const second = await store.tasks.submit(submission, at(NOON, 'key'));

      expect([first, second]).toEqual([{ status: 'missing-queue' }, { status: 'missing-queue' }]);
    });

    it('refuses a key that was used for another request, and changes nothing', async () => {
      await using store = await subject.open();
      await store.namespaces.ensure('one', at(NOON, 'key', 'ensure one'));

      const reused = store.namespaces.ensure('two', at(NOON, 'key', 'ensure two'));

      await expect(reused).rejects.toMatchObject({ code: 'KEY_REUSED' });
      expect((await store.namespaces.list()).map(({ name }) => name)).toEqual(['one']);
    });

    it('acts again under a key older than 24 hours', async () => {
      await using store = await subject.open();
      const later = after(NOON, hours(24) + 1);
      await store.namespaces.ensure('a', at(NOON, 'key', 'first'));
      await store.namespaces.delete('a', at(NOON));

      await store.namespaces.ensure('a', at(later, 'key', 'second'));

      expect(await store.namespaces.list()).toEqual([{ name: 'a', createdAt: later }]);
      expect((await store.answers.find('key', at(later)))?.fingerprint).toBe('second');
    });
  });

  describe('answers', () => {
    it('finds no answer under a key that was never used', async () => {
      await using store = await subject.open();

      expect(await store.answers.find('unknown', at(NOON))).toBeNull();
    });

    it('finds an answer for 24 hours and no longer', async () => {
      await using store = await subject.open();
      await store.queues.insert(aNewQueue(), at(NOON, 'key'));

      expect(await store.answers.find('key', at(after(NOON, hours(24))))).toEqual({
        fingerprint: 'same request',
        answer: 'inserted',
      });
      expect(await store.answers.find('key', at(after(NOON, hours(24) + 1)))).toBeNull();
    });

    it('forgets at most `limit` answers older than 24 hours', async () => {
      await using store = await subject.open();
      for (const key of ['a', 'b', 'c']) await store.namespaces.ensure(key, at(NOON, key));
      await store.namespaces.ensure('d', at(after(NOON, hours(1)), 'd'));
      const later = { now: after(NOON, hours(24) + 1), limit: 2 };

      expect(await store.answers.purge({ ...later, now: NOON })).toBe(0);
      expect(await store.answers.purge(later)).toBe(2);
      expect(await store.answers.purge(later)).toBe(1);
      expect(await store.answers.purge(later)).toBe(0);
      expect(await store.answers.find('d', later)).not.toBeNull();
    });
  });
}
