import { describe, expect, it } from 'vitest';
import { NODE_REPORT_DEFAULTS } from '../../../src/core/index.ts';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, expectRefusal, later, settle, stateOf, submitKeys, submitOne } from './scene.ts';

export function nodeOperations(subject: EngineUnderTest): void {
  describe('nodes', () => {
    it('register with their first heartbeat; what is not said is the default', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const report = {
        slots: 4,
        handlers: ['mail'],
        queuesOnly: ['q'],
        host: 'machine',
        pid: 77,
        version: '1.2.3',
        data: { memory: [1, 2] },
      };

      const node = await engine.nodes.heartbeat('n1', report, { ttlMs: seconds(20) });

      expect(node).toMatchObject({
        ...NODE_REPORT_DEFAULTS,
        ...report,
        name: 'n1',
        namespace: 'default',
        active: true,
        wish: 'work',
        maxRunning: null,
        runningCount: 0,
        createdAt: clock.now(),
        heartbeatAt: clock.now(),
        expiresAt: later(clock.now(), seconds(20)),
      });
      expect(await engine.nodes.get('n1')).toEqual(node);
    });

    it('stay the same node with later heartbeats, and learn what is wanted of them', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const born = await engine.nodes.heartbeat('n1', { slots: 4 });
      await engine.nodes.set('n1', { wish: 'drain', maxRunning: 2 });
      await clock.advance(seconds(5));

      const node = await engine.nodes.heartbeat('n1', { slots: 8 });

      expect(node).toMatchObject({
        id: born.id,
        slots: 8,
        wish: 'drain',
        maxRunning: 2,
        createdAt: born.createdAt,
        heartbeatAt: clock.now(),
      });
    });

    it('find gives null and all others refuse for a node that is not there', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;

      expect(await nodes.find('nope')).toBeNull();
      const missing = { node: 'nope', namespace: 'default' };
      await expectRefusal(nodes.get('nope'), 'NODE_NOT_FOUND', missing);
      await expectRefusal(nodes.set('nope', { wish: 'drain' }), 'NODE_NOT_FOUND', missing);
      await expectRefusal(nodes.deactivate('nope'), 'NODE_NOT_FOUND', missing);
      await expectRefusal(nodes.delete('nope'), 'NODE_NOT_FOUND', missing);
    });

    it('are listed by name, page by page, and by parent', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;
      for (const name of ['c', 'a', 'b']) await nodes.heartbeat(name, { parent: 'p' });
      await nodes.heartbeat('p');

      const first = await nodes.list({ limit: 3 });
      expect(first.items.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      const rest = await nodes.list({ limit: 3, after: first.next });
      expect(rest.items.map(({ name }) => name)).toEqual(['p']);
      expect(rest.next).toBeNull();
      const children = await nodes.list({ parent: 'p' });
      expect(children.items.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    });

    it('are live while they are active and not overdue', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.nodes.heartbeat('overdue', {}, { ttlMs: seconds(5) });
      await engine.nodes.heartbeat('gone', {}, { ttlMs: seconds(60) });
      await engine.nodes.heartbeat('live', {}, { ttlMs: seconds(60) });
      await engine.nodes.deactivate('gone');
      await clock.advance(seconds(6));

      const live = (await engine.nodes.list({ live: true })).items.map(({ name }) => name);

      expect(live).toEqual(['live']);
      expect((await engine.nodes.list()).items).toHaveLength(3);
    });

    it('set changes what is given and keeps the rest', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;
      await nodes.heartbeat('n1');

      await nodes.set('n1', { wish: 'cordon' });
      expect(await nodes.set('n1', { maxRunning: 3 })).toMatchObject({
        wish: 'cordon',
        maxRunning: 3,
      });
      expect(await nodes.set('n1', { maxRunning: null, wish: 'work' })).toMatchObject({
        wish: 'work',
        maxRunning: null,
      });
    });

    it('count what they run over all queues', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.nodes.heartbeat('n1', { slots: 9 });
      for (const queue of ['a', 'b']) {
        await engine.queues.create(queue);
        await submitKeys(engine, queue, ['1', '2']);
      }
      const running = async () => (await engine.nodes.get('n1')).runningCount;
      const held = await claimOne(engine);
      await claimOne(engine, { start: false });
      await claimOne(engine);
      expect(await running()).toBe(3);

      await settle(engine, held, 'succeeded');

      expect(await running()).toBe(2);
    });

    it('say goodbye and keep their leases', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.nodes.heartbeat('n1');
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);

      await engine.nodes.deactivate('n1');

      expect((await engine.nodes.get('n1')).active).toBe(false);
      expect(await stateOf(engine, id)).toBe('running');
      expect(await settle(engine, held, 'succeeded')).toMatchObject({ status: 'applied' });
      expect((await engine.nodes.heartbeat('n1')).active).toBe(true);
    });

    it('are forgotten when deleted; their attempts keep their name', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.nodes.heartbeat('n1');
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      await settle(engine, await claimOne(engine), 'succeeded');

      await engine.nodes.delete('n1');

      expect(await engine.nodes.find('n1')).toBeNull();
      expect((await engine.attempts.list(id))[0]?.node).toBe('n1');
    });
  });
}
