import { describe, expect, it } from 'vitest';
import type { Engine, TaskPageRequest, TaskSelection } from '../../../src/core/index.ts';
import { bytes, minutes } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, expectRefusal, later, settle, submitKeys, submitOne } from './scene.ts';

const NO_TASK = '000000000000000000000000';

export function taskListing(subject: EngineUnderTest): void {
  describe('tasks.find, get and findByKey', () => {
    it('find gives null and get refuses for a task that is not there', async () => {
      await using yard = await subject.open();

      expect(await yard.engine.tasks.find(NO_TASK)).toBeNull();
      await expectRefusal(yard.engine.tasks.get(NO_TASK), 'TASK_NOT_FOUND', {
        task: NO_TASK,
        namespace: 'default',
      });
    });

    it('findByKey gives null for an unknown key and refuses an unknown queue', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');

      expect(await yard.engine.tasks.findByKey('q', 'k')).toBeNull();
      await expectRefusal(yard.engine.tasks.findByKey('nope', 'k'), 'QUEUE_NOT_FOUND', {
        queue: 'nope',
      });
    });
  });

  describe('tasks.list', () => {
    it('gives the newest first, or the oldest', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await submitKeys(yard.engine, 'q', ['1', '2', '3']);

      expect(await keys(yard.engine)).toEqual(['3', '2', '1']);
      expect(await keys(yard.engine, {}, { direction: 'asc' })).toEqual(['1', '2', '3']);
    });

    it('sorts by key bytewise, both ways', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await submitKeys(yard.engine, 'q', ['b', 'ü', 'B', 'a', bytes(255)]);

      const listed = await keys(yard.engine, { queues: ['q'] }, { sort: 'key', direction: 'asc' });
      expect(listed.slice(0, 4)).toEqual(['B', 'a', 'b', 'ü']);
      expect(Buffer.from(listed[4] as Uint8Array)).toEqual(Buffer.from([255]));
      const back = await keys(yard.engine, { queues: ['q'] }, { sort: 'key', direction: 'desc' });
      expect(back).toEqual(listed.toReversed());
    });

    it('gives every task once, page by page, in every order', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const all = Array.from({ length: 25 }, (_, i) => `k${i}`);
      await submitKeys(engine, 'q', all);
      for (const sort of ['id', 'key'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const seen: string[] = [];
          let after: string | null = null;
          do {
            const page = await engine.tasks.list(
              { queues: ['q'] },
              { sort, direction, after, limit: 7 },
            );
            expect(page.items.length).toBeLessThanOrEqual(7);
            seen.push(...page.items.map(({ key }) => String(key)));
            after = page.next;
          } while (after !== null && seen.length <= all.length);

          const oldestFirst = sort === 'key' ? all.toSorted() : all;
          expect(seen).toEqual(direction === 'asc' ? oldestFirst : oldestFirst.toReversed());
        }
      }
    });

    it('goes by queues, states, ids, keys and labels, all of which must hold', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('a');
      await engine.queues.create('b');
      const id = await submitOne(engine, 'a', { key: 'a1', labels: { team: 'x', size: 'l' } });
      await submitOne(engine, 'a', { key: 'a2', labels: { team: 'x' }, hold: true });
      await submitOne(engine, 'b', { key: 'b1', labels: { team: 'y' } });

      expect(await keys(engine, { queues: ['a'] })).toEqual(['a2', 'a1']);
      expect(await keys(engine, { queues: ['a', 'b'] })).toEqual(['b1', 'a2', 'a1']);
      expect(await keys(engine, { states: ['held'] })).toEqual(['a2']);
      expect(await keys(engine, { ids: [id, NO_TASK] })).toEqual(['a1']);
      expect(await keys(engine, { keys: ['b1', 'a2', 'no'] })).toEqual(['b1', 'a2']);
      expect(await keys(engine, { labels: { team: 'x' } })).toEqual(['a2', 'a1']);
      expect(await keys(engine, { labels: { team: 'x', size: 'l' } })).toEqual(['a1']);
      expect(await keys(engine, { labels: { team: 'x' }, states: ['held'] })).toEqual(['a2']);
      expect(await keys(engine, { hold: 'operator' })).toEqual(['a2']);
      expect(await keys(engine, { hold: 'quarantined' })).toEqual([]);
    });

    it('goes by the node that has the task', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b', 'c']);
      await claimOne(engine, { node: 'n1' });
      await claimOne(engine, { node: 'n2' });

      expect(await keys(engine, { node: 'n2' })).toEqual(['b']);
      expect(await keys(engine, { node: 'n3' })).toEqual([]);
    });

    it('goes by when tasks were made', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'old' });
      const between = later(clock.now(), minutes(1));
      await clock.advance(minutes(2));
      await submitOne(engine, 'q', { key: 'new' });

      expect(await keys(engine, { createdAfter: between })).toEqual(['new']);
      expect(await keys(engine, { createdBefore: between })).toEqual(['old']);
    });

    it('searches text in key, error and params', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'broken' });
      await settle(engine, await claimOne(engine), 'failed', {
        final: true,
        error: 'disk 100% full',
      });
      await submitOne(engine, 'q', { key: 'find-me' });
      await submitOne(engine, 'q', { key: 'other', params: { file: 'a_b.txt' } });

      expect(await keys(engine, { search: 'find' })).toEqual(['find-me']);
      expect(await keys(engine, { search: '100% f' })).toEqual(['broken']);
      expect(await keys(engine, { search: 'a_b.txt' })).toEqual(['other']);
      expect(await keys(engine, { search: 'a%b' })).toEqual([]);
      expect(await keys(engine, { search: 'nowhere' })).toEqual([]);
    });

    it('refuses a queue that is not there', async () => {
      await using yard = await subject.open();

      await expectRefusal(yard.engine.tasks.list({ queues: ['nope'] }), 'QUEUE_NOT_FOUND', {
        queue: 'nope',
      });
    });

    it('shows tasks as of now: due delays and lost leases included', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: minutes(1), onLost: 'park' });
      await submitOne(engine, 'q', { key: 'lost' });
      await claimOne(engine);
      await submitOne(engine, 'q', { key: 'due', delayMs: minutes(2) });

      await clock.advance(minutes(2));

      expect(await keys(engine, { states: ['queued'] })).toEqual(['due']);
      expect(await keys(engine, { states: ['orphaned'] })).toEqual(['lost']);
      expect(await keys(engine, { states: ['running', 'delayed'] })).toEqual([]);
    });
  });
}

async function keys(engine: Engine, filter: TaskSelection = {}, page: TaskPageRequest = {}) {
  return (await engine.tasks.list(filter, page)).items.map(({ key }) => key);
}
