import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  aNewTask,
  anAccessToken,
  anId,
  aSettlement,
  at,
  bytes,
  hours,
  minutes,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import { copyAll, listArchived, NOTHING_PUT } from './archive-store-copy.ts';
import { archiveTasksConformance } from './archive-store-tasks.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  addTasks,
  claimOne,
  expectExactCounts,
  getQueue,
  getTask,
  listAttempts,
  listTasks,
  someCounts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, minutes(5));

/** A queue with a task in every state that can be put, with attempts, late words and output. */
async function fill(store: Store) {
  const queue = await addQueue(store, { name: 'work', leaseMs: seconds(10), data: { a: [1] } });
  const failed = await addClaimed(store, queue, { params: { n: 1 }, labels: { a: 'ü', b: '' } });
  const chunk = { stream: 'stdout', offset: 0, bytes: textBytes('hello\u0000') } as const;
  const { taskId, fence } = failed;
  await store.outputs.append(
    { namespace: 'default', taskId, fence, chunks: [{ ...chunk, number: 1 }] },
    at(NOON),
  );
  await store.attempts.settle(
    'default',
    [aSettlement(failed, { outcome: 'failed', error: 'it \u0000 broke', code: -3, data: [null] })],
    at(after(NOON, 5)),
  );
  const lost = await addClaimed(store, queue, { params: { n: 2 } });
  await store.attempts.expireDue({ now: LATER, limit: 9 });
  await store.attempts.settle(
    'default',
    [aSettlement(lost, { outcome: 'failed', data: { late: 1 }, error: 'x' })],
    at(LATER),
  );
  await addTasks(store, queue, [
    aNewTask({
      key: bytes(0, 255, 1),
      priority: -1.5,
      unique: { key: 'u\u0000', scope: 'waiting' },
    }),
    aNewTask({ hold: 'quarantined' }),
    aNewTask({ notBefore: after(LATER, hours(1)) }),
  ]);
  const cancelled = await addTask(store, queue);
  await store.tasks.move({ namespace: 'default', ids: [cancelled], move: 'cancel' }, at(LATER));
  return queue;
}

export function archiveStoreConformance(subject: StoreUnderTest): void {
  archiveTasksConformance(subject);

  describe('archive', () => {
    it('brings queues, tasks, attempts and output into another store as they were', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await fill(from);

      await copyAll(from, to);

      expect(await getQueue(to, queue)).toEqual(await getQueue(from, queue));
      const tasks = await listTasks(from, {}, { now: LATER });
      expect(tasks).toHaveLength(6);
      expect(await listTasks(to, {}, { now: LATER })).toEqual(tasks);
      for (const { id } of tasks) {
        expect(await listAttempts(to, id, LATER)).toEqual(await listAttempts(from, id, LATER));
      }
      expect(await listArchived(to, queue)).toEqual(await listArchived(from, queue));
      const [first] = await listArchived(to, queue);
      expect(first?.outputFences).toEqual([1]);
      const output = { taskId: first?.task.id ?? '', fence: 1, after: 0, limitBytes: 100 };
      expect(await to.outputs.read(output)).toEqual(await from.outputs.read(output));
      expect(await someCounts(to, queue, LATER)).toEqual({
        ...{ queued: 2, delayed: 1, held: 1, failed: 1, cancelled: 1 },
      });
      await expectExactCounts(to, LATER);
    });

    it('puts nothing twice', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await fill(from);
      await copyAll(from, to);
      const before = await listArchived(to, queue);

      expect(await copyAll(from, to)).toEqual(NOTHING_PUT);

      expect(await listArchived(to, queue)).toEqual(before);
      await expectExactCounts(to, LATER);
    });

    it('leaves a task alone that is there, whatever became of it', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from);
      const id = await addTask(from, queue);
      const [task] = await listArchived(from, queue);
      await copyAll(from, to);
      const claim = await claimOne(to, queue);

      const put = { namespace: 'default', queueId: queue.id, tasks: task ? [task, task] : [] };
      expect(await to.archive.putTasks(put, at(NOON))).toEqual(['there', 'there']);

      expect(await getTask(to, id)).toMatchObject({ state: 'running', fence: claim.fence });
    });
  });

  describe('archive.listQueues', () => {
    it('gives queues by id, page by page, and those whose tasks were kept', async () => {
      await using store = await subject.open();
      const queues = [];
      for (const name of ['c', 'a', 'b', 'hidden']) queues.push(await addQueue(store, { name }));
      const [c, , b, hidden] = queues;
      await addTask(store, c ?? { id: '' });
      await store.queues.delete({ id: c?.id ?? '', tasks: 'keep' }, at(NOON));
      await store.queues.delete({ id: hidden?.id ?? '', tasks: 'delete' }, at(NOON));
      await addQueue(store, { name: 'elsewhere', namespace: 'other' });

      const first = await store.archive.listQueues('default', { after: null, limit: 2 });
      const rest = await store.archive.listQueues('default', { after: first.next, limit: 2 });

      const seen = [...first.items, ...rest.items];
      expect(seen.map(({ queue, isDeleted }) => [queue.name, isDeleted])).toEqual([
        ['c', true],
        ['a', false],
        ['b', false],
      ]);
      expect(seen.at(-1)?.queue).toEqual(b && (await getQueue(store, b)));
      expect(rest.next).toBeNull();
    });
  });

  describe('archive.listTasks', () => {
    it('gives tasks by id after an id, whatever their state, in pages of bounded size', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const text = 'x'.repeat(1000);
      const ids: string[] = [];
      for (let n = 0; n < 9; n++) ids.push(await addTask(store, queue, { params: { text } }));
      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 4 }), at(NOON));
      await store.attempts.settle(
        'default',
        claims.slice(0, 2).map((one) => aSettlement(one)),
        at(NOON),
      );
      const list = (afterId: string | null, limit: number, limitBytes: number) =>
        store.archive.listTasks({
          ...{ namespace: 'default', queueId: queue.id, after: afterId, limit, limitBytes },
        });

      const few = await list(null, 4, 1e6);
      expect(few.items.map(({ task }) => task.id)).toEqual(ids.slice(0, 4));
      expect(few.items.map(({ task }) => task.state)).toEqual([
        ...['succeeded', 'succeeded', 'running', 'running'],
      ]);
      expect(few.next).toBe(ids[3]);
      expect((await list(few.next, 9, 1e6)).items.map(({ task }) => task.id)).toEqual(ids.slice(4));
      expect((await list(few.next, 9, 1e6)).next).toBeNull();
      expect((await list(null, 9, 1)).items).toHaveLength(1);
      expect((await list(null, 9, 1)).next).toBe(ids[0]);
      expect((await list(null, 9, 3500)).items.length).toBeLessThanOrEqual(5);
      expect((await list(ids[8] ?? '', 9, 1e6)).items).toEqual([]);
    });

    it('shows a lease that ran out as it is stored', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: 1 });
      await addClaimed(store, queue);

      const [archived] = await listArchived(store, queue);

      expect(archived?.task).toMatchObject({ state: 'running', attempt: { fence: 1 } });
      expect(archived?.attempts).toEqual([]);
    });

    it('gives none of a queue that is unknown, hidden, or of another namespace', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue);
      const query = { queueId: queue.id, after: null, limit: 9, limitBytes: 1e6 };

      const foreign = await store.archive.listTasks({ ...query, namespace: 'other' });
      expect(foreign).toEqual({ items: [], next: null });
      expect(await listArchived(store, { id: anId() })).toEqual([]);
      await store.queues.delete({ id: queue.id, tasks: 'delete' }, at(NOON));
      expect(await listArchived(store, queue)).toEqual([]);
    });
  });

  describe('archive.listTokens', () => {
    it('gives all tokens with their hashes, by name', async () => {
      await using store = await subject.open();
      const b = anAccessToken({ name: 'b', expiresAt: NOON });
      const a = anAccessToken({ name: 'a', namespaces: ['x'] });
      await store.tokens.insert(b, bytes(2, 0, 255), at(NOON));
      await store.tokens.insert(a, bytes(1), at(NOON));

      expect(await store.archive.listTokens()).toEqual([
        { token: a, hash: bytes(1) },
        { token: b, hash: bytes(2, 0, 255) },
      ]);
    });
  });

  describe('archive.putQueue', () => {
    it('answers `name-taken` when another queue has the name, and changes nothing', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await getQueue(from, await addQueue(from, { name: 'a' }));
      const own = await addQueue(to, { name: 'a' });

      expect(await to.archive.putQueue({ queue, isDeleted: false }, at(NOON))).toBe('name-taken');

      expect((await getQueue(to, own)).id).toBe(own.id);
      const all = await to.archive.listQueues('default', { after: null, limit: 9 });
      expect(all.items).toHaveLength(1);
      expect(await to.archive.putQueue({ queue, isDeleted: true }, at(NOON))).toBe('put');
      expect((await getQueue(to, own)).id).toBe(own.id);
    });

    it('brings the namespace, and keeps revision and times', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const made = await addQueue(from, { namespace: 'far', paused: true });
      const queue = { ...(await getQueue(from, made)), revision: 7, nextContinuousAt: LATER };

      expect(await to.archive.putQueue({ queue, isDeleted: false }, at(LATER))).toBe('put');
      expect(await to.archive.putQueue({ queue, isDeleted: false }, at(LATER))).toBe('there');

      expect((await to.namespaces.list()).map(({ name }) => name)).toEqual(['far']);
      expect(await getQueue(to, made)).toEqual(queue);
      const change = { id: queue.id, revision: 7, settings: { ...queue, paused: false } };
      expect((await to.queues.update(change, at(LATER))).status).toBe('updated');
    });

    it('keeps the tasks of a deleted queue where they are found', async () => {
      await using from = await subject.open();
      await using to = await subject.open();
      const queue = await addQueue(from, { name: 'old' });
      const id = await addTask(from, queue);
      await from.queues.delete({ id: queue.id, tasks: 'keep' }, at(NOON));

      await copyAll(from, to);

      expect(await to.queues.find('default', 'old')).toBeNull();
      expect(await getTask(to, id)).toMatchObject({ queue: 'old', state: 'queued' });
      expect(await to.attempts.claim(aClaim({ queueId: queue.id }), at(NOON))).toEqual([]);
    });
  });
}
