import { describe, expect, it } from 'vitest';
import { QUEUE_DEFAULTS } from '../../../src/core/index.ts';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  expectRefusal,
  settle,
  stateOf,
  submitKeys,
  submitOne,
} from './scene.ts';

export function queueOperations(subject: EngineUnderTest): void {
  describe('queues.create', () => {
    it('makes a queue; what is not said is the default', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;

      const queue = await engine.queues.create('mail', { priority: 3, data: { owner: 'ops' } });

      expect(queue).toMatchObject({
        ...QUEUE_DEFAULTS,
        name: 'mail',
        namespace: 'default',
        priority: 3,
        data: { owner: 'ops' },
        nextContinuousAt: null,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      });
      expect(await engine.queues.get('mail')).toEqual(queue);
    });

    it('refuses a name that is taken and changes nothing', async () => {
      await using yard = await subject.open();
      const first = await yard.engine.queues.create('mail', { priority: 3 });

      const again = yard.engine.queues.create('mail', { priority: 4 });

      await expectRefusal(again, 'QUEUE_EXISTS', { queue: 'mail', namespace: 'default' });
      expect(await yard.engine.queues.get('mail')).toEqual(first);
    });

    it('makes one queue of a name, however many ask at once', async () => {
      await using yard = await subject.open();

      const outcomes = await Promise.allSettled(
        Array.from({ length: 8 }, () => yard.engine.queues.create('mail')),
      );

      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await yard.engine.queues.list()).items).toHaveLength(1);
    });

    it('leaves a program to admins, as do set and define', async () => {
      await using yard = await subject.open();
      const engine = await yard.as({ name: 'op', role: 'operator', namespaces: null });
      const program = { argv: ['/bin/true'], cwd: null, env: {} };
      await engine.queues.create('plain');

      for (const call of [
        engine.queues.create('p', { program }),
        engine.queues.set('plain', { program }),
        engine.queues.define('plain', { program }),
      ]) {
        await expectRefusal(call, 'FORBIDDEN', { role: 'admin', principal: 'op', has: 'operator' });
      }
      expect((await yard.engine.queues.create('p', { program })).program).toEqual(program);
      expect((await engine.queues.get('plain')).program).toBeNull();
    });
  });

  describe('queues.find, get and list', () => {
    it('find gives null and get refuses for a queue that is not there', async () => {
      await using yard = await subject.open();

      expect(await yard.engine.queues.find('nope')).toBeNull();
      await expectRefusal(yard.engine.queues.get('nope'), 'QUEUE_NOT_FOUND', {
        queue: 'nope',
        namespace: 'default',
      });
      await expectRefusal(yard.engine.queues.countsOf('nope'), 'QUEUE_NOT_FOUND');
    });

    it('lists by name, page by page, each once', async () => {
      await using yard = await subject.open();
      for (const name of ['d', 'B', 'a', 'ü', 'c']) await yard.engine.queues.create(name);
      const names: string[] = [];
      let pages = 0;
      let after: string | null = null;
      do {
        const page = await yard.engine.queues.list({ after, limit: 2 });
        expect(page.items.length).toBeLessThanOrEqual(2);
        names.push(...page.items.map(({ name }) => name));
        after = page.next;
        pages += 1;
      } while (after !== null && pages < 10);

      expect(names).toEqual(['B', 'a', 'c', 'd', 'ü']);
    });
  });

  describe('queues.set', () => {
    it('changes what is given, keeps the rest, and raises the revision', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const before = await engine.queues.create('q', { priority: 3, weight: 7 });
      await clock.advance(seconds(1));

      const queue = await engine.queues.set('q', { weight: 9 });

      expect(queue).toEqual({
        ...before,
        weight: 9,
        revision: queue.revision,
        updatedAt: clock.now(),
      });
      expect(queue.revision).toBeGreaterThan(before.revision);
      expect(await engine.queues.get('q')).toEqual(queue);
    });

    it('refuses a revision that is over, and says which one stands', async () => {
      await using yard = await subject.open();
      const { queues } = yard.engine;
      const { revision } = await queues.create('q');
      const changed = await queues.set('q', { weight: 9 }, { revision });

      const late = queues.set('q', { weight: 1 }, { revision });

      await expectRefusal(late, 'QUEUE_CHANGED', {
        queue: 'q',
        revision: String(changed.revision),
      });
      expect((await queues.get('q')).weight).toBe(9);
    });

    it('keeps every change of many at once', async () => {
      await using yard = await subject.open();
      const { queues } = yard.engine;
      await queues.create('q');

      await Promise.all([
        queues.set('q', { weight: 9 }),
        queues.set('q', { priority: 4 }),
        queues.set('q', { maxRunning: 2 }),
        queues.pause('q'),
      ]);

      expect(await queues.get('q')).toMatchObject({
        weight: 9,
        priority: 4,
        maxRunning: 2,
        paused: true,
      });
    });

    it('refuses a queue that is not there', async () => {
      await using yard = await subject.open();
      const { queues } = yard.engine;

      const missing = { queue: 'nope' };
      await expectRefusal(queues.set('nope', { weight: 1 }), 'QUEUE_NOT_FOUND', missing);
      await expectRefusal(queues.pause('nope'), 'QUEUE_NOT_FOUND', missing);
      await expectRefusal(queues.resume('nope'), 'QUEUE_NOT_FOUND', missing);
    });

    it('puts waiting tasks in the new order at once', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q', { order: 'fifo' });
      await submitKeys(yard.engine, 'q', ['b', 'c', 'a']);

      await yard.engine.queues.set('q', { order: 'lifo' });
      expect(await claimKeys(yard.engine)).toEqual(['a']);
      await yard.engine.queues.set('q', { order: 'fifo' });
      expect(await claimKeys(yard.engine, { limit: 2 })).toEqual(['b', 'c']);
    });
  });

  describe('queues.define', () => {
    it('sets the whole definition and leaves tasks alone', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const before = await engine.queues.define('q', { priority: 3, paused: true });
      const id = await submitOne(engine, 'q');

      const queue = await engine.queues.define('q', { weight: 9 });

      expect(queue).toMatchObject({ ...QUEUE_DEFAULTS, weight: 9, id: before.id });
      expect(queue.revision).toBeGreaterThan(before.revision);
      expect(await stateOf(engine, id)).toBe('queued');
    });

    it('makes or sets one queue, however many ask at once', async () => {
      await using yard = await subject.open();

      await Promise.all(
        Array.from({ length: 8 }, (_, weight) => yard.engine.queues.define('q', { weight })),
      );

      expect((await yard.engine.queues.list()).items).toHaveLength(1);
    });
  });

  describe('queues.pause and resume', () => {
    it('stop and let go claims; what runs goes on', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const running = await claimOne(engine);

      expect((await engine.queues.pause('q')).paused).toBe(true);
      expect(await claim(engine)).toEqual([]);
      expect(await settle(engine, running, 'succeeded')).toMatchObject({ status: 'applied' });

      expect((await engine.queues.resume('q')).paused).toBe(false);
      expect(await claimKeys(engine)).toEqual(['b']);
    });
  });
}
