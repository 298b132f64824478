import { describe, expect, it } from 'vitest';
import type { NodeQuery, NodeReport } from '../../../src/core/store/index.ts';
import { aBeat, after, anId, aSettlement, at, NOON, seconds } from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  expectExactCounts,
  listAttempts,
  stateOf,
  walkPages,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(10));

const REPORT: NodeReport = {
  parent: 'the host',
  mode: 'RUN',
  slots: 8,
  handlers: ['resize', 'ünïcode'],
  programs: true,
  queuesOnly: ['a'],
  queuesNot: ['b', 'c'],
  version: '1.2.3',
  host: 'host.example',
  pid: 4711,
  data: { env: { TERM: 'x' }, list: [], pool: null },
};

export function nodeStoreConformance(subject: StoreUnderTest): void {
  describe('nodes.heartbeat', () => {
    it('registers a node with all it reports', async () => {
      await using store = await subject.open();
      const id = anId();

      const beat = aBeat({ id, name: 'node-1', ttlMs: seconds(15), report: REPORT });
      const nodes = await store.nodes.heartbeat('default', [beat], at(NOON));

      const node = {
        ...REPORT,
        id,
        namespace: 'default',
        name: 'node-1',
        active: true,
        wish: 'work',
        maxRunning: null,
        assignedVersion: 0,
        assignedAt: null,
        runningCount: 0,
        createdAt: NOON,
        heartbeatAt: NOON,
        expiresAt: after(NOON, seconds(15)),
      };
      expect(nodes).toEqual([node]);
      expect(await store.nodes.find('default', 'node-1')).toEqual(node);
    });

    it('refreshes a node: its report is the new one, what operators set stays', async () => {
      await using store = await subject.open();
      const first = aBeat({ report: REPORT });
      await store.nodes.heartbeat('default', [first], at(NOON));
      await store.nodes.update('default', 'node-1', { wish: 'drain', maxRunning: 4 }, at(NOON));
      await store.nodes.deactivate('default', 'node-1', at(NOON));

      const again = aBeat({ report: { slots: 2, data: 'new' }, ttlMs: seconds(5) });
      const [node] = await store.nodes.heartbeat('default', [again], at(LATER));

      expect(node).toMatchObject({
        ...again.report,
        id: first.id,
        active: true,
        wish: 'drain',
        maxRunning: 4,
        createdAt: NOON,
        heartbeatAt: LATER,
        expiresAt: after(LATER, seconds(5)),
      });
    });

    it('takes many at once and answers in their order', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat(
        'default',
        [aBeat({ name: 'b', report: { slots: 9 } })],
        at(NOON),
      );

      const beats = ['c', 'b', 'a', 'b'].map((name) => aBeat({ name, report: { mode: name } }));
      const nodes = await store.nodes.heartbeat('default', beats, at(LATER));

      expect(nodes.map(({ name, mode }) => [name, mode])).toEqual(
        ['c', 'b', 'a', 'b'].map((name) => [name, name]),
      );
      expect(nodes[1]?.id).toBe(nodes[3]?.id);
      expect(nodes[1]?.createdAt).toEqual(NOON);
    });

    it('makes one node of a name, however many beat at once', async () => {
      await using store = await subject.open();

      const answers = await Promise.all(
        Array.from({ length: 6 }, () => store.nodes.heartbeat('default', [aBeat()], at(NOON))),
      );

      expect(new Set(answers.map(([node]) => node?.id)).size).toBe(1);
    });

    it('counts the attempts that live on the node', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const running = async () => {
        const [node] = await store.nodes.heartbeat('default', [aBeat()], at(NOON));
        return node?.runningCount;
      };
      const first = await addClaimed(store, queue);

      expect(await running()).toBe(1);
      await addClaimed(store, queue, {}, { start: false });
      await addClaimed(store, queue, {}, { node: 'node-2' });
      expect(await running()).toBe(2);
      await store.attempts.settle('default', [aSettlement(first)], at(NOON));
      expect(await running()).toBe(1);
      await expectExactCounts(store);
    });
  });

  describe('nodes.find and nodes.list', () => {
    it('find nothing under another name or in another namespace', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));

      expect(await store.nodes.find('default', 'Node-1')).toBeNull();
      expect(await store.nodes.find('theirs', 'node-1')).toBeNull();
    });

    it('list by name in order of UTF-16 code units, page by page', async () => {
      await using store = await subject.open();
      const names = ['b', '\uff5e', 'a', '😀', 'B', 'a-1'];
      await store.nodes.heartbeat(
        'default',
        names.map((name) => aBeat({ name })),
        at(NOON),
      );
      await store.nodes.heartbeat('theirs', [aBeat({ name: 'c' })], at(NOON));

      for (const limit of [1, 4, 6, 100]) {
        const nodes = await walkPages(limit, (from) => {
          return store.nodes.list('default', { after: from, limit }, at(NOON));
        });
        expect(nodes.map(({ name }) => name)).toEqual(names.toSorted());
      }
    });

    it('list only live nodes, or the children of one, when asked to', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat(
        'default',
        [
          aBeat({ name: 'long', ttlMs: seconds(100) }),
          aBeat({ name: 'short', ttlMs: seconds(10) }),
          aBeat({ name: 'gone', ttlMs: seconds(100), report: { parent: 'long' } }),
          aBeat({ name: 'child', ttlMs: seconds(100), report: { parent: 'long' } }),
        ],
        at(NOON),
      );
      await store.nodes.deactivate('default', 'gone', at(NOON));
      const list = async (query: Partial<NodeQuery>, now: Date) => {
        const page = await store.nodes.list(
          'default',
          { after: null, limit: 9, ...query },
          at(now),
        );
        return page.items.map(({ name }) => name);
      };

      expect(await list({}, LATER)).toEqual(['child', 'gone', 'long', 'short']);
      expect(await list({ live: false }, LATER)).toEqual(['child', 'gone', 'long', 'short']);
      expect(await list({ live: true }, after(LATER, -1))).toEqual(['child', 'long', 'short']);
      expect(await list({ live: true }, LATER)).toEqual(['child', 'long']);
      expect(await list({ parent: 'long' }, LATER)).toEqual(['child', 'gone']);
      expect(await list({ parent: 'long', live: true }, LATER)).toEqual(['child']);
      expect(await list({ parent: 'nobody' }, LATER)).toEqual([]);
    });
  });

  describe('nodes.update', () => {
    it('sets what operators want, each by itself', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      const set = (change: Parameters<typeof store.nodes.update>[2]) =>
        store.nodes.update('default', 'node-1', change, at(NOON));

      expect(await set({ wish: 'cordon' })).toMatchObject({ wish: 'cordon', maxRunning: null });
      expect(await set({ maxRunning: 0 })).toMatchObject({ wish: 'cordon', maxRunning: 0 });
      expect(await set({ maxRunning: null, wish: 'work' })).toMatchObject({
        wish: 'work',
        maxRunning: null,
      });
      expect(await set({})).toEqual(await store.nodes.find('default', 'node-1'));
    });

    it('answers null for a node that is not there', async () => {
      await using store = await subject.open();

      expect(await store.nodes.update('default', 'nobody', { wish: 'drain' }, at(NOON))).toBeNull();
      expect(await store.nodes.find('default', 'nobody')).toBeNull();
    });
  });

  describe('nodes.deactivate', () => {
    it('leaves the node inactive until its next heartbeat, and its leases run on', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      const { taskId } = await addClaimed(store, await addQueue(store));

      expect(await store.nodes.deactivate('default', 'node-1', at(NOON))).toBe('deactivated');
      expect(await store.nodes.find('default', 'node-1')).toMatchObject({ active: false });
      expect(await store.nodes.deactivate('default', 'node-1', at(NOON))).toBe('deactivated');
      expect(await stateOf(store, taskId)).toBe('running');
      const [node] = await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      expect(node?.active).toBe(true);
    });

    it('answers `missing` for a node that is not there', async () => {
      await using store = await subject.open();

      expect(await store.nodes.deactivate('default', 'nobody', at(NOON))).toBe('missing');
    });
  });

  describe('nodes.delete', () => {
    it('forgets a node; its attempts keep its name', async () => {
      await using store = await subject.open();
      await store.nodes.heartbeat('default', [aBeat()], at(NOON));
      await store.nodes.update('default', 'node-1', { maxRunning: 1 }, at(NOON));
      const { taskId } = await addClaimed(store, await addQueue(store));

      expect(await store.nodes.delete('default', 'node-1', at(NOON))).toBe('deleted');

      expect(await store.nodes.find('default', 'node-1')).toBeNull();
      expect(await store.nodes.delete('default', 'node-1', at(NOON))).toBe('missing');
      expect(await listAttempts(store, taskId)).toMatchObject([{ node: 'node-1', endedAt: null }]);
      const beat = aBeat();
      const [node] = await store.nodes.heartbeat('default', [beat], at(LATER));
      expect(node).toMatchObject({
        id: beat.id,
        maxRunning: null,
        runningCount: 1,
        createdAt: LATER,
      });
    });
  });
}
