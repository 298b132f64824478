import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/random.ts';
import type { TaskQuery } from '../../../src/core/store/index.ts';
import {
  after,
  aNewTask,
  anId,
  aSettlement,
  at,
  bytes,
  goTo,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import { addClaimed, addQueue, addTask, addTasks, aQuery, listTasks } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

export function taskListConformance(subject: StoreUnderTest): void {
  describe('tasks.list', () => {
    it('lists by id, up or down, page by page', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const ids = await addTasks(
        store,
        queue,
        Array.from({ length: 25 }, () => aNewTask()),
      );

      for (const limit of [1, 7, 25, 100]) {
        const up = await listTasks(store, { limit });
        const down = await listTasks(store, { limit, direction: 'desc' });
        expect(up.map(({ id }) => id)).toEqual(ids);
        expect(down.map(({ id }) => id)).toEqual(ids.toReversed());
      }
    });

    it('lists by key, bytewise, up or down, only tasks that have one', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const random = seededRandom(7);
      const keys = [bytes(), bytes(0), bytes(255), textBytes('ab'), textBytes('a')];
      for (let i = 0; i < 20; i++) keys.push(random.bytes(1 + Math.floor(random.next() * 5)));
      const hexes = [...new Set(keys.map((key) => Buffer.from(key).toString('hex')))];
      const tasks = hexes.map((hex) =>
        aNewTask({ key: Uint8Array.from(Buffer.from(hex, 'hex')), labels: { hex } }),
      );
      await addTasks(store, queue, [...tasks, aNewTask()]);

      for (const limit of [1, 4, 100]) {
        const query = { sort: 'key', queueIds: [queue.id], limit } as const;
        const up = await listTasks(store, query);
        const down = await listTasks(store, { ...query, direction: 'desc' });
        expect(up.map(({ labels }) => labels.hex)).toEqual(hexes.toSorted());
        expect(down.map(({ labels }) => labels.hex)).toEqual(hexes.toSorted().toReversed());
      }
    });

    it('goes on after an id or key, whether or not it exists', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = await addTask(store, queue, { key: textBytes('a') });
      const gone = anId();
      const second = await addTask(store, queue, { key: textBytes('c') });
      const ids = async (query: Partial<TaskQuery>) =>
        (await listTasks(store, query)).map(({ id }) => id);

      expect(await ids({ after: gone })).toEqual([second]);
      expect(await ids({ after: gone, direction: 'desc' })).toEqual([first]);
      const byKey = { sort: 'key', after: Buffer.from('b').toString('hex') } as const;
      expect(await ids(byKey)).toEqual([second]);
      expect(await ids({ ...byKey, direction: 'desc' })).toEqual([first]);
      expect(await ids({ after: second })).toEqual([]);
    });

    it('filters by every field, and by all of them together', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const other = await addQueue(store);
      const claim = await addClaimed(store, queue, { key: textBytes('live') }, { node: 'node-7' });
      const failed = await addClaimed(store, other, { params: { url: 'http://Example/x' } });
      const end = { outcome: 'failed', error: 'no such host' } as const;
      await store.attempts.settle('default', [aSettlement(failed, end)], at(NOON));
      const held = await addTask(store, queue, {
        hold: 'operator',
        labels: { team: 'red', n: '1' },
      });
      const later = after(NOON, seconds(10));
      const delayed = await addTask(
        store,
        queue,
        { delayMs: 1000, labels: { team: 'blue', n: '1' } },
        later,
      );
      const all = [claim.taskId, failed.taskId, held, delayed];
      const find = async (query: Partial<TaskQuery>) =>
        (await listTasks(store, query)).map(({ id }) => id);

      expect(await find({})).toEqual(all);
      expect(await find({ queueIds: [other.id] })).toEqual([failed.taskId]);
      expect(await find({ queueIds: [other.id, queue.id] })).toEqual(all);
      expect(await find({ states: ['held', 'failed'] })).toEqual([failed.taskId, held]);
      expect(await find({ states: ['delayed'] })).toEqual([delayed]);
      expect(await find({ ids: [held, anId()] })).toEqual([held]);
      expect(await find({ keys: [textBytes('live'), textBytes('none')] })).toEqual([claim.taskId]);
      expect(await find({ labels: { n: '1' } })).toEqual([held, delayed]);
      expect(await find({ labels: { n: '1', team: 'red' } })).toEqual([held]);
      expect(await find({ labels: { toString: '1' } })).toEqual([]);
      expect(await find({ labels: {} })).toEqual(all);
      expect(await find({ node: 'node-7' })).toEqual([claim.taskId]);
      expect(await find({ node: 'node-1' })).toEqual([]);
      expect(await find({ hold: 'operator' })).toEqual([held]);
      expect(await find({ createdAfter: NOON })).toEqual([delayed]);
      expect(await find({ createdBefore: later })).toEqual([claim.taskId, failed.taskId, held]);
      expect(await find({ createdAfter: NOON, createdBefore: later })).toEqual([]);
      expect(await find({ states: ['held'], node: 'node-7' })).toEqual([]);
    });

    it('matches nothing with an empty list', async () => {
      await using store = await subject.open();
      await addTask(store, await addQueue(store), { key: textBytes('k') });

      for (const filter of [{ queueIds: [] }, { states: [] }, { ids: [] }, { keys: [] }]) {
        expect(await listTasks(store, filter)).toEqual([]);
      }
    });

    it('searches key, error and params for a text as it is written', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const byParams = await addClaimed(store, queue, { params: { url: 'http://Example/100%_x' } });
      await store.attempts.settle('default', [aSettlement(byParams)], at(NOON));
      const byError = await addClaimed(store, queue);
      const end = { outcome: 'failed', error: 'disk full (50%)', next: goTo('failed') } as const;
      await store.attempts.settle('default', [aSettlement(byError, end)], at(NOON));
      const byKey = await addTask(store, queue, { key: textBytes('länge/7') });
      await addTask(store, queue, { key: bytes(0xff, 0x00) });
      const find = async (search: string) =>
        (await listTasks(store, { search })).map(({ id }) => id);

      expect(await find('Example')).toEqual([byParams.taskId]);
      expect(await find('example')).toEqual([]);
      expect(await find('"url":"http')).toEqual([byParams.taskId]);
      expect(await find('100%_x')).toEqual([byParams.taskId]);
      expect(await find('full (5')).toEqual([byError.taskId]);
      expect(await find('länge')).toEqual([byKey]);
      expect(await find('%')).toEqual([byParams.taskId, byError.taskId]);
      expect(await find('nowhere')).toEqual([]);
    });

    it('comes to the end where few of many match', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const tasks = Array.from({ length: 2500 }, (_, index) =>
        aNewTask({ labels: { rare: String(index % 1000 === 999) } }),
      );
      for (let from = 0; from < tasks.length; from += 500) {
        await addTasks(store, queue, tasks.slice(from, from + 500));
      }

      const rare = await listTasks(store, { labels: { rare: 'true' }, limit: 10 });

      expect(rare.map(({ id }) => id)).toEqual([tasks[999]?.id, tasks[1999]?.id]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(5), onLost: 'park' });
      const { taskId } = await addClaimed(store, queue);
      const delayed = await addTask(store, queue, { delayMs: seconds(3) });
      const states = async (now: Date) => {
        const tasks = await listTasks(store, {}, { now });
        return Object.fromEntries(tasks.map(({ id, state }) => [id, state]));
      };

      expect(await states(NOON)).toEqual({ [taskId]: 'running', [delayed]: 'delayed' });
      expect(await states(after(NOON, seconds(5)))).toEqual({
        [taskId]: 'orphaned',
        [delayed]: 'queued',
      });
    });

    it('shows no task of another namespace, asked for in any way', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { namespace: 'theirs' });
      const id = await addTask(store, queue, { key: textBytes('k') });

      for (const filter of [
        {},
        { ids: [id] },
        { queueIds: [queue.id] },
        { keys: [textBytes('k')] },
      ]) {
        expect(await listTasks(store, filter)).toEqual([]);
        expect(await listTasks(store, filter, { namespace: 'theirs' })).toHaveLength(1);
      }
    });

    it('lists nothing in a namespace that is not there', async () => {
      await using store = await subject.open();

      expect(await store.tasks.list('nowhere', aQuery(), at(NOON))).toEqual({
        items: [],
        next: null,
      });
    });
  });
}
