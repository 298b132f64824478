import { describe, expect, it } from 'vitest';
import type { Engine, NodeReport, TaskId } from '../../../src/core/index.ts';
import { minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, expectRefusal, settle, submitKeys, submitOne } from './scene.ts';

export function taskWhy(subject: EngineUnderTest): void {
  describe('tasks.why', () => {
    it('says that it is next when nothing is in the way', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await beat(yard.engine);
      const id = await submitOne(yard.engine, 'q');

      await expectWhy(yard.engine, id, 'next', /next/);
      expect((await yard.engine.tasks.why(id)).state).toBe('queued');
    });

    it('says how many tasks are ahead', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await beat(yard.engine);
      const [, second = '', third = ''] = await submitKeys(yard.engine, 'q', ['a', 'b', 'c']);

      await expectWhy(yard.engine, second, 'position', /^1 task is ahead/);
      await expectWhy(yard.engine, third, 'position', /^2 tasks are ahead/);
    });

    it('says that the queue is paused, and how to resume it', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { paused: true });
      await beat(yard.engine);
      const id = await submitOne(yard.engine, 'q');

      await expectWhy(yard.engine, id, 'paused', /"q" is paused.*resume q/);
    });

    it('says that the queue has weight 0 or a limit of 0', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('weightless', { weight: 0 });
      await yard.engine.queues.create('stopped', { maxRunning: 0 });
      await beat(yard.engine);

      const weightless = await submitOne(yard.engine, 'weightless');
      await expectWhy(yard.engine, weightless, 'weight', /weight 0/);
      const stopped = await submitOne(yard.engine, 'stopped');
      await expectWhy(yard.engine, stopped, 'stopped', /limit.*is 0/);
    });

    it('says that the limit of the queue is full, and what it is', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { maxRunning: 1 });
      await beat(yard.engine, { slots: 4 });
      const [, second = ''] = await submitKeys(yard.engine, 'q', ['a', 'b']);
      await claimOne(yard.engine);

      await expectWhy(yard.engine, second, 'full', /"q" runs 1 task.*limit/);
    });

    it('says which keyed limit is used up', async () => {
      await using yard = await subject.open();
      const limits = [{ name: 'per-tenant', by: 'tenant', max: 1, perMs: null }];
      await yard.engine.queues.create('q', { limits });
      await beat(yard.engine, { slots: 4 });
      const [, second = ''] = await submitKeys(yard.engine, 'q', ['a', 'b']);
      await claimOne(yard.engine);

      await expectWhy(yard.engine, second, 'limit', /"per-tenant" is used up/);
    });

    it('says that no node is running', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q');
      await expectWhy(yard.engine, id, 'no-node', /No node is running/);

      await yard.engine.nodes.heartbeat('n1', {}, { ttlMs: seconds(5) });
      await expectWhy(yard.engine, id, 'next', /next/);
      await yard.clock.advance(seconds(6));

      await expectWhy(yard.engine, id, 'no-node', /No node is running/);
    });

    it('says that no live node has the handler, or runs programs', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('mail', { handler: 'send-mail' });
      const program = { argv: ['/bin/true'], cwd: null, env: {} };
      await yard.engine.queues.create('shell', { program });
      await beat(yard.engine, { handlers: ['resize'], programs: false });

      const mail = await submitOne(yard.engine, 'mail');
      await expectWhy(yard.engine, mail, 'handler', /No live node has handler "send-mail"/);
      const shell = await submitOne(yard.engine, 'shell');
      await expectWhy(yard.engine, shell, 'programs', /No live node runs programs/);
    });

    it('says that the rules of queue or nodes keep them apart', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('only', { nodesOnly: ['n9'] });
      await yard.engine.queues.create('not', { nodesNot: ['n1'] });
      await yard.engine.queues.create('unwanted');
      await beat(yard.engine, { queuesNot: ['unwanted'] });

      for (const queue of ['only', 'not']) {
        const id = await submitOne(yard.engine, queue);
        await expectWhy(yard.engine, id, 'node-rule', /nodes this queue is for/);
      }
      const unwanted = await submitOne(yard.engine, 'unwanted');
      await expectWhy(yard.engine, unwanted, 'not-wanted', /does not serve this queue/);
    });

    it('says that the nodes are cordoned, drained or busy', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await beat(engine);
      const [, second = ''] = await submitKeys(engine, 'q', ['a', 'b']);
      for (const wish of ['cordon', 'drain'] as const) {
        await engine.nodes.set('n1', { wish });
        await expectWhy(engine, second, 'not-taking-work', /drained or cordoned/);
      }
      await engine.nodes.set('n1', { wish: 'work' });
      await claimOne(engine);

      await expectWhy(engine, second, 'nodes-busy', /no free slot/);
    });

    it('says when a delayed task starts', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q', { delayMs: minutes(5) });
      const { notBefore } = await yard.engine.tasks.get(id);

      await expectWhy(yard.engine, id, 'delayed', new RegExp(notBefore?.toISOString() ?? '?'));
    });

    it('says that it is held, and how to release it', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q', { hold: true });

      await expectWhy(yard.engine, id, 'held', new RegExp(`held.*release ${id}`));
    });

    it('says that it is quarantined, and after how many losses', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxLosses: 2, maxAttempts: null, leaseMs: seconds(1) });
      const id = await submitOne(engine, 'q');
      for (let i = 0; i < 2; i += 1) {
        await claimOne(engine);
        await clock.advance(seconds(2));
      }

      await expectWhy(engine, id, 'quarantined', /lost with its node 2 times/);
    });

    it('says that its gated queue has not admitted it', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { admission: 'gated' });
      const id = await submitOne(yard.engine, 'q');

      await expectWhy(yard.engine, id, 'admission', /gated and has not admitted it/);
    });

    it('says where it runs, that it is claimed, external, or how it ended', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const [a = '', b = ''] = await submitKeys(engine, 'q', ['a', 'b']);
      const running = await claimOne(engine, { node: 'n7' });
      await claimOne(engine, { node: 'n8', start: false });
      const external = await submitOne(engine, 'q', { external: true });

      await expectWhy(engine, a, 'running', /running on node n7/);
      await expectWhy(engine, b, 'claimed', /n8/);
      await expectWhy(engine, external, 'external', /ends by a call/);
      await settle(engine, running, 'failed', { final: true, error: 'disk full' });
      await expectWhy(engine, a, 'ended', /failed \(disk full\)/);
    });

    it('says that its queue was deleted', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const id = await submitOne(yard.engine, 'q');
      await yard.engine.queues.delete('q', { tasks: 'keep' });

      await expectWhy(yard.engine, id, 'no-queue', /queue was deleted/);
    });

    it('refuses a task that is not there', async () => {
      await using yard = await subject.open();
      const id = '000000000000000000000000';

      await expectRefusal(yard.engine.tasks.why(id), 'TASK_NOT_FOUND', { task: id });
    });
  });
}

async function beat(engine: Engine, report: Partial<NodeReport> = {}): Promise<void> {
  await engine.nodes.heartbeat('n1', report, { ttlMs: minutes(60) });
}

async function expectWhy(engine: Engine, id: TaskId, code: string, text: RegExp): Promise<void> {
  const { reasons } = await engine.tasks.why(id);
  const found = reasons.find((reason) => reason.code === code);
  expect(reasons.map((reason) => reason.code)).toContain(code);
  expect(found?.text).toMatch(text);
}
