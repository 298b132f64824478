import { describe, expect, it } from 'vitest';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  countsOf,
  expectRefusal,
  settle,
  stateOf,
  submitOne,
  withoutZeros,
} from './scene.ts';

export function namespaceOperations(subject: EngineUnderTest): void {
  describe('namespaces', () => {
    it('exist from their first use, by name', async () => {
      await using yard = await subject.open();
      await yard.engine.in('with-queue').queues.create('q');
      await yard.engine.in('with-node').nodes.heartbeat('n1');
      await yard.engine.namespaces.create('made', {});

      const names = (await yard.engine.namespaces.list()).map(({ name }) => name);

      expect(names.filter((name) => name !== 'default')).toEqual([
        'made',
        'with-node',
        'with-queue',
      ]);
    });

    it('may be created again', async () => {
      await using yard = await subject.open();
      await yard.engine.namespaces.create('twice');
      const queue = await yard.engine.in('twice').queues.create('q');

      await yard.engine.namespaces.create('twice');

      expect(await yard.engine.in('twice').queues.get('q')).toEqual(queue);
    });

    it('list those the principal may use', async () => {
      await using yard = await subject.open();
      for (const name of ['a', 'b', 'c']) await yard.engine.namespaces.create(name);
      const engine = await yard.as({
        name: 'someone',
        role: 'viewer',
        namespaces: ['default', 'a', 'c'],
      });

      const names = (await engine.namespaces.list()).map(({ name }) => name);

      expect(names.filter((name) => name !== 'default')).toEqual(['a', 'c']);
    });

    it('go with all that is in them, and their leases', async () => {
      await using yard = await subject.open();
      const engine = yard.engine.in('doomed');
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const held = await claimOne(engine);
      await engine.nodes.heartbeat('n1');

      await yard.engine.namespaces.delete('doomed');

      expect((await yard.engine.namespaces.list()).map(({ name }) => name)).not.toContain('doomed');
      expect((await engine.queues.list()).items).toEqual([]);
      expect(await engine.tasks.find(id)).toBeNull();
      expect(await engine.nodes.find('n1')).toBeNull();
      expect(await settle(engine, held, 'succeeded')).toMatchObject({ status: 'lost' });
    });

    it('are free to be used again once deleted', async () => {
      await using yard = await subject.open();
      const engine = yard.engine.in('again');
      await engine.queues.create('q', { priority: 5 });
      await submitOne(engine, 'q');
      await yard.engine.namespaces.delete('again');

      await engine.queues.create('q');

      expect((await engine.queues.get('q')).priority).toBe(0);
      expect(await countsOf(engine, 'q')).toEqual({});
      expect(await claim(engine)).toEqual([]);
    });

    it('are not found when they are not there to be deleted', async () => {
      await using yard = await subject.open();

      await expectRefusal(yard.engine.namespaces.delete('nowhere'), 'NAMESPACE_NOT_FOUND', {
        namespace: 'nowhere',
      });
    });

    it('give the counts of every queue of every namespace the principal may use', async () => {
      await using yard = await subject.open();
      for (const namespace of ['a', 'b']) {
        const engine = yard.engine.in(namespace);
        await engine.queues.create('q');
        await submitOne(engine, 'q');
        await submitOne(engine, 'q', { hold: true });
        await engine.queues.create('empty');
      }
      const someone = await yard.as({
        name: 'someone',
        role: 'viewer',
        namespaces: ['default', 'b'],
      });
      const shown = (all: Awaited<ReturnType<typeof someone.namespaces.counts>>) =>
        all.map(({ namespace, queue, counts }) => [namespace, queue, withoutZeros(counts)]);

      const b = [
        ['b', 'empty', {}],
        ['b', 'q', { queued: 1, held: 1 }],
      ];
      expect(shown(await someone.namespaces.counts())).toEqual(b);
      expect(shown(await yard.engine.namespaces.counts())).toEqual([
        ['a', 'empty', {}],
        ['a', 'q', { queued: 1, held: 1 }],
        ...b,
      ]);
    });
  });

  describe('isolation', () => {
    it('keeps queues, tasks, keys and nodes of the same name apart', async () => {
      await using yard = await subject.open();
      const here = yard.engine.in('here');
      const there = yard.engine.in('there');
      for (const engine of [here, there]) {
        await engine.queues.create('q');
        await submitOne(engine, 'q', { key: 'k', params: { in: engine.namespace } });
        await engine.nodes.heartbeat('n1', { mode: engine.namespace });
      }

      await here.queues.set('q', { paused: true });
      await here.nodes.set('n1', { wish: 'drain' });

      expect((await there.queues.get('q')).paused).toBe(false);
      expect(await there.nodes.get('n1')).toMatchObject({ mode: 'there', wish: 'work' });
      expect(await claim(here)).toEqual([]);
      expect((await claimOne(there)).params).toEqual({ in: 'there' });
      expect((await here.tasks.list()).items.map(({ params }) => params)).toEqual([{ in: 'here' }]);
    });

    it('hides a task from every method of another namespace', async () => {
      await using yard = await subject.open();
      const home = yard.engine.in('home');
      await home.queues.create('q', { onLost: 'park' });
      const id = await submitOne(home, 'q');
      const held = await claimOne(home);
      await home.outputs.append(id, held.fence, [chunk('secret')]);
      const away = yard.engine.in('away');
      await away.queues.create('q');

      expect(await away.tasks.find(id)).toBeNull();
      expect((await away.tasks.list({ ids: [id] })).items).toEqual([]);
      const missing = { task: id };
      await expectRefusal(away.tasks.get(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.tasks.edit(id, { priority: 1 }), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.tasks.cancel(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.tasks.delete(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.tasks.why(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.attempts.list(id), 'TASK_NOT_FOUND', missing);
      const force = { node: 'n1', force: true };
      await expectRefusal(away.attempts.claimTask(id, force), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.outputs.read(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.outputs.tail(id), 'TASK_NOT_FOUND', missing);
      await expectRefusal(away.outputs.append(id, held.fence, [chunk('x')]), 'LEASE_LOST');
      expect(await settle(away, held, 'succeeded')).toMatchObject({ status: 'lost', state: null });
      expect(await settle(away, { taskId: id, fence: null }, 'succeeded')).toMatchObject({
        status: 'lost',
      });
      for (const fence of [held.fence, null]) {
        const [renewed] = await away.attempts.renew([{ taskId: id, fence, leaseMs: 0 }]);
        expect(renewed?.status).toBe('lost');
        const [started] = await away.attempts.start([{ taskId: id, fence }]);
        expect(started?.status).toBe('lost');
      }
      const all = { action: 'delete', filter: { ids: [id] } } as const;
      expect(await away.tasks.bulk(all)).toEqual({ matched: 0, changed: 0 });
      expect(await stateOf(home, id)).toBe('running');
    });

    it('keeps a principal inside its namespaces', async () => {
      await using yard = await subject.open();
      await yard.engine.namespaces.create('secret');
      const engine = await yard.as({
        name: 'someone',
        role: 'admin',
        namespaces: ['default', 'own'],
      });
      const visit = async () => {
        await engine.in('secret').queues.list();
      };

      const forbidden = { principal: 'someone', namespace: 'secret' };
      await expectRefusal(visit(), 'NAMESPACE_FORBIDDEN', forbidden);
      await expectRefusal(engine.namespaces.create('secret'), 'NAMESPACE_FORBIDDEN', forbidden);
      await expectRefusal(engine.namespaces.delete('secret'), 'NAMESPACE_FORBIDDEN', forbidden);
      expect((await engine.in('own').queues.list()).items).toEqual([]);
    });

    it('emits into queues of the same namespace only', async () => {
      await using yard = await subject.open();
      await yard.engine.in('other').queues.create('target');
      await yard.engine.queues.create('q');
      await submitOne(yard.engine, 'q');

      const answer = await settle(yard.engine, await claimOne(yard.engine), 'succeeded', {
        emit: [{ queue: 'target' }],
      });

      expect(answer.status).toBe('applied');
      expect(await countsOf(yard.engine.in('other'), 'target')).toEqual({});
    });
  });
}

function chunk(text: string) {
  return { number: 1, stream: 'stdout', offset: 0, bytes: Buffer.from(text) } as const;
}
