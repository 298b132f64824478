import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/core/index.ts';
import { hours, minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, expectRefusal, later, settle, stateOf, submitKeys, submitOne } from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function claimTask(subject: EngineUnderTest): void {
  describe('attempts.claimTask', () => {
    it('gives one named task, whatever its place', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const [, b = ''] = await submitKeys(engine, 'q', ['a', 'b']);

      const held = await engine.attempts.claimTask(b, { node: 'n1', leaseMs: seconds(5) });

      expect(held).toMatchObject({
        taskId: b,
        key: 'b',
        expiresAt: later(clock.now(), seconds(5)),
      });
      expect(await stateOf(engine, b)).toBe('running');
      expect((await claimOne(engine)).key).toBe('a');
    });

    it('refuses a task that is not there, runs, or has ended', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const force = { node: 'n1', force: true };
      const held = await engine.attempts.claimTask(id, { node: 'n1' });

      const running = { task: id, state: 'running' };
      await expectRefusal(engine.attempts.claimTask(id, force), 'TASK_STATE', running);
      await settle(engine, held, 'succeeded');
      const ended = { task: id, state: 'succeeded' };
      await expectRefusal(engine.attempts.claimTask(id, force), 'TASK_STATE', ended);
      await expectRefusal(engine.attempts.claimTask(NO_TASK, force), 'TASK_NOT_FOUND');
    });

    it('refuses what may not be claimed now, and gives it with force', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('paused', { paused: true });
      await engine.queues.create('full', { maxRunning: 0 });
      await engine.queues.create('not-here', { nodesOnly: ['n9'] });
      await engine.queues.create('q');
      const ids = [
        await submitOne(engine, 'q', { delayMs: hours(1) }),
        await submitOne(engine, 'q', { hold: true }),
        await submitOne(engine, 'paused'),
        await submitOne(engine, 'full'),
      ];

      for (const id of ids) {
        const plain = engine.attempts.claimTask(id, { node: 'n1' });
        await expectRefusal(plain, 'TASK_STATE', { task: id });
        const held = await engine.attempts.claimTask(id, { node: 'n1', force: true });
        expect(held.taskId).toBe(id);
      }
      const elsewhere = await submitOne(engine, 'not-here');
      await expectRefusal(engine.attempts.claimTask(elsewhere, { node: 'n1' }), 'TASK_STATE');
    });

    it('gives the task to one, however many ask at once', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q');

      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          yard.engine.attempts.claimTask(id, { node: `n${i}`, force: true }),
        ),
      );

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe('attempts.assign', () => {
    it('gives the task to the least loaded candidate', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await beat(engine, 'n1', 'n2', 'n3');
      await submitKeys(engine, 'q', ['a', 'b', 'c', 'd']);
      for (const node of ['n1', 'n1', 'n2']) await claimOne(engine, { node });
      const id = (await engine.tasks.findByKey('q', 'd'))?.id ?? '';

      const given = await engine.attempts.assign(id, { candidates: ['n1', 'n2'] });

      expect(given).toMatchObject({ node: 'n2', claim: { taskId: id, key: 'd' } });
      expect((await engine.tasks.get(id)).attempt?.node).toBe('n2');
    });

    it('takes turns among equals: the one least recently assigned', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await beat(engine, 'n1', 'n2', 'n3');
      const nodes = [];
      for (let i = 0; i < 6; i += 1) {
        const id = await submitOne(engine, 'q');
        const given = await engine.attempts.assign(id, { candidates: ['n1', 'n2', 'n3'] });
        if (given) await settle(engine, given.claim, 'succeeded');
        nodes.push(given?.node);
        await clock.advance(10);
      }

      expect(nodes.slice(0, 3).toSorted()).toEqual(['n1', 'n2', 'n3']);
      expect(nodes.slice(3)).toEqual(nodes.slice(0, 3));
    });

    it('spreads evenly, however many dispatchers ask at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const candidates = ['n1', 'n2', 'n3', 'n4'];
      await beat(engine, ...candidates);
      const ids = await submitKeys(
        engine,
        'q',
        Array.from({ length: 24 }, (_, i) => `k${i}`),
      );

      const given: ({ node: string } | null)[] = [];
      for (let i = 0; i < ids.length; i += 6) {
        const some = ids.slice(i, i + 6).map((id) => engine.attempts.assign(id, { candidates }));
        given.push(...(await Promise.all(some)));
      }

      const load = candidates.map((name) => given.filter((one) => one?.node === name).length);
      expect(load).toEqual([6, 6, 6, 6]);
    });

    it('gives null when no candidate is live, takes work and is free', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      const assign = (node: string) => engine.attempts.assign(id, { candidates: [node] });
      await engine.nodes.heartbeat('dead', {}, { ttlMs: seconds(1) });
      await beat(engine, 'gone', 'cordoned', 'full');
      await engine.nodes.deactivate('gone');
      await engine.nodes.set('cordoned', { wish: 'cordon' });
      await engine.nodes.set('full', { maxRunning: 0 });
      await clock.advance(seconds(2));

      for (const node of ['dead', 'gone', 'cordoned', 'full', 'unknown']) {
        expect(await assign(node)).toBeNull();
      }
      expect(await engine.attempts.assign(id, { candidates: [] })).toBeNull();
      expect(await stateOf(engine, id)).toBe('queued');
    });

    it('refuses a task that is not there or not waiting', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await beat(engine, 'n1');
      const id = await submitOne(engine, 'q');
      await claimOne(engine);

      const request = { candidates: ['n1'] };
      await expectRefusal(engine.attempts.assign(id, request), 'TASK_STATE', { task: id });
      await expectRefusal(engine.attempts.assign(NO_TASK, request), 'TASK_NOT_FOUND');
    });
  });
}

async function beat(engine: Engine, ...names: string[]): Promise<void> {
  for (const name of names)
    await engine.nodes.heartbeat(name, { slots: 10 }, { ttlMs: minutes(5) });
}
