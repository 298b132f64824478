import { describe, expect, it } from 'vitest';
import type { ClaimRequest, Engine } from '../../../src/core/index.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claim, settle, submitOne } from './scene.ts';

export function claimFilters(subject: EngineUnderTest): void {
  describe('what a claim may ask for', () => {
    it('only some queues; unknown names are ignored, and [] is no restriction', async () => {
      await using yard = await subject.open();
      await fillQueues(yard.engine, { a: {}, b: {}, c: {} });

      expect(await queuesFor(yard.engine, { queues: ['b', 'x'] })).toEqual(['b']);
      expect(await queuesFor(yard.engine, { queues: ['x'] })).toEqual([]);
      expect(await queuesFor(yard.engine, { queues: [] })).toEqual(['a', 'b', 'c']);
    });

    it('all queues but some', async () => {
      await using yard = await subject.open();
      await fillQueues(yard.engine, { a: {}, b: {}, c: {} });

      expect(await queuesFor(yard.engine, { queuesNot: ['b', 'x'] })).toEqual(['a', 'c']);
      expect(await queuesFor(yard.engine, { queues: ['a', 'b'], queuesNot: ['b'] })).toEqual(['a']);
    });

    it('only some runtimes; not said, any', async () => {
      await using yard = await subject.open();
      await fillQueues(yard.engine, { plain: {}, go: { runtime: 'go' } });

      expect(await queuesFor(yard.engine, {})).toEqual(['go', 'plain']);
      expect(await queuesFor(yard.engine, { runtimes: [''] })).toEqual(['plain']);
      expect(await queuesFor(yard.engine, { runtimes: ['go'] })).toEqual(['go']);
      expect(await queuesFor(yard.engine, { runtimes: ['go', ''] })).toEqual(['go', 'plain']);
      expect(await queuesFor(yard.engine, { runtimes: ['java'] })).toEqual([]);
    });

    it('only some handlers; a queue that names none has its own name', async () => {
      await using yard = await subject.open();
      await fillQueues(yard.engine, { mail: { handler: 'send' }, resize: {} });

      expect(await queuesFor(yard.engine, {})).toEqual(['mail', 'resize']);
      expect(await queuesFor(yard.engine, { handlers: ['send'] })).toEqual(['mail']);
      expect(await queuesFor(yard.engine, { handlers: ['resize'] })).toEqual(['resize']);
      expect(await queuesFor(yard.engine, { handlers: [] })).toEqual([]);
    });

    it('no queues with a program', async () => {
      await using yard = await subject.open();
      const program = { argv: ['/bin/true'], cwd: null, env: {} };
      await fillQueues(yard.engine, { shell: { program }, plain: {} });

      expect(await queuesFor(yard.engine, {})).toEqual(['plain', 'shell']);
      expect(await queuesFor(yard.engine, { programs: false })).toEqual(['plain']);
      expect(await queuesFor(yard.engine, { programs: true, handlers: [] })).toEqual(['shell']);
    });
  });

  describe('who may serve a queue', () => {
    it('nodes named by nodesOnly, and none named by nodesNot', async () => {
      await using yard = await subject.open();
      await fillQueues(yard.engine, {
        only: { nodesOnly: ['n1'] },
        not: { nodesNot: ['n1'] },
        nobody: { nodesOnly: [] },
      });

      expect(await queuesFor(yard.engine, { node: 'n1' })).toEqual(['only']);
      expect(await queuesFor(yard.engine, { node: 'n2' })).toEqual(['not']);
    });

    it('no node that operators cordoned or drain, until it is to work again', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await fillQueues(engine, { q: {} });
      await engine.nodes.heartbeat('n1');

      for (const wish of ['cordon', 'drain'] as const) {
        await engine.nodes.set('n1', { wish });
        expect(await queuesFor(engine, { node: 'n1' })).toEqual([]);
      }
      expect(await queuesFor(engine, { node: 'n2' })).toEqual(['q']);
      await engine.nodes.set('n1', { wish: 'work' });
      expect(await queuesFor(engine, { node: 'n1' })).toEqual(['q']);
    });

    it('does not keep a node from other queues when the highest may give it nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await fillQueues(engine, {
        'full-here': { priority: 9, maxRunningPerNode: 1 },
        'other-nodes': { priority: 8, nodesOnly: ['n9'] },
        'key-full': {
          priority: 7,
          limits: [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }],
        },
        ordinary: {},
      });
      for (const queue of ['full-here', 'key-full']) await submitOne(engine, queue);
      await claim(engine, { node: 'n1', queues: ['full-here'] });
      await claim(engine, { node: 'n1', queues: ['key-full'] });

      const [next] = await claim(engine, { node: 'n1' });

      expect(next?.queue).toBe('ordinary');
    });
  });
}

async function fillQueues(
  engine: Engine,
  queues: Record<string, Parameters<Engine['queues']['create']>[1]>,
): Promise<void> {
  for (const [name, settings] of Object.entries(queues)) {
    await engine.queues.create(name, settings);
    await submitOne(engine, name);
  }
}

/** The queues a claimer gets tasks from; the tasks are given back. */
async function queuesFor(engine: Engine, request: Partial<ClaimRequest>): Promise<string[]> {
  const claims = await claim(engine, { limit: 10, ...request });
  for (const one of claims) await settle(engine, one, 'released');
  return claims.map(({ queue }) => queue).toSorted();
}
