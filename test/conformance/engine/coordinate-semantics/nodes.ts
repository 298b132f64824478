import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/core/index.ts';
import { hours, minutes } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { later, settle, stateOf } from '../scene.ts';
import { addOne, ask, askOne, defineQueue, LEASE_MS } from './coordinate-queue.ts';

export function nodeSemantics(subject: EngineUnderTest): void {
  describe('nodes', () => {
    it('[CS WorkerAncestry] a parent shows on both sides, one level deep', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;
      for (const name of ['grandparent', 'parent', 'child']) await nodes.heartbeat(name);
      expect((await nodes.get('child')).parent).toBeNull();
      expect(await childrenOf(yard.engine, 'parent')).toEqual([]);

      await nodes.heartbeat('parent', { parent: 'grandparent' });
      await nodes.heartbeat('child', { parent: 'parent' });

      expect((await nodes.get('child')).parent).toBe('parent');
      expect(await childrenOf(yard.engine, 'parent')).toEqual(['child']);
      expect(await childrenOf(yard.engine, 'grandparent')).toEqual(['parent']);
    });

    it('[CS WorkerAdoption] a new parent takes the child from the old one', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;
      await nodes.heartbeat('child', { parent: 'one' });

      await nodes.heartbeat('child', { parent: 'two' });

      expect(await childrenOf(yard.engine, 'one')).toEqual([]);
      expect(await childrenOf(yard.engine, 'two')).toEqual(['child']);
    });

    it('[CS WorkerMetadata] a heartbeat sets data, mode and times and makes the node active', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const born = clock.now();
      const fresh = await engine.nodes.heartbeat('worker', {}, { ttlMs: LEASE_MS });
      expect(fresh).toMatchObject({
        active: true,
        mode: '',
        data: null,
        heartbeatAt: born,
        expiresAt: later(born, LEASE_MS),
      });

      await clock.advance(minutes(1));
      const report = { data: { key: 'value' }, mode: 'run' };
      await engine.nodes.heartbeat('worker', report, { ttlMs: hours(1) });
      const then = clock.now();
      expect(await engine.nodes.get('worker')).toMatchObject({
        ...report,
        active: true,
        heartbeatAt: then,
        expiresAt: later(then, hours(1)),
      });

      await engine.nodes.deactivate('worker');
      expect((await engine.nodes.get('worker')).active).toBe(false);
      await engine.nodes.heartbeat('worker', report);
      expect((await engine.nodes.get('worker')).active).toBe(true);
    });

    it("[CS WorkerAttempts] attempts are the child's, and the parent finds them through it", async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.nodes.heartbeat('parent');
      await engine.nodes.heartbeat('child', { parent: 'parent' });
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'one');
      await addOne(engine, 'spec', 'two');
      await settle(engine, await askOne(engine, { node: 'child' }), 'succeeded');
      await askOne(engine, { node: 'child' });

      expect(await keysOf(engine, 'child', true)).toEqual(['two']);
      expect(await keysOf(engine, 'child', false)).toEqual(['one']);
      expect(await keysOf(engine, 'parent', true)).toEqual([]);
      expect(await keysOf(engine, 'parent', false)).toEqual([]);
      expect(await childrenOf(engine, 'child')).toEqual([]);
      const [child = ''] = await childrenOf(engine, 'parent');
      expect(await keysOf(engine, child, true)).toEqual(['two']);
    });

    it('[CS DeactivateChild] a child may say goodbye and keeps its parent', async () => {
      await using yard = await subject.open();
      const { nodes } = yard.engine;
      await nodes.heartbeat('parent');
      await nodes.heartbeat('child', { parent: 'parent' });

      await nodes.deactivate('child');

      expect(await nodes.get('child')).toMatchObject({ active: false, parent: 'parent' });
    });

    it('[CS Workers, beyond] a node that vanished keeps its tasks until their leases end', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.nodes.heartbeat('worker', {}, { ttlMs: minutes(1) });
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      await askOne(engine);

      await clock.advance(minutes(5));
      expect((await engine.nodes.get('worker')).active).toBe(true);
      expect((await engine.nodes.list({ live: true })).items).toEqual([]);
      expect(await stateOf(engine, id)).toBe('running');

      await clock.advance(minutes(11));
      expect(await stateOf(engine, id)).toBe('queued');
    });

    it('[CS Workers, beyond] a node need not be known to ask for tasks; asking for one makes none', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');

      expect(await ask(engine, { node: 'stranger' })).toHaveLength(1);
      expect(await engine.nodes.find('nobody')).toBeNull();
      expect((await engine.nodes.list()).items.map(({ name }) => name)).not.toContain('nobody');
    });
  });
}

async function childrenOf(engine: Engine, parent: string): Promise<string[]> {
  return (await engine.nodes.list({ parent })).items.map(({ name }) => name);
}

async function keysOf(engine: Engine, node: string, live: boolean) {
  return (await engine.attempts.listByNode(node, { live })).items.map(({ key }) => key);
}
