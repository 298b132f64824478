import { describe, expect, it } from 'vitest';
import type { Engine, TaskSelection } from '../../../../src/core/index.ts';
import { minutes } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { expectRefusal, later, settle, stateOf, statesByKey } from '../scene.ts';
import { add, addOne, addOneOfEach, askOne, defineQueue, visibleData } from './coordinate-queue.ts';

export function taskSemantics(subject: EngineUnderTest): void {
  describe('tasks', () => {
    it('[CS TrivialWorkUnitFlow] a task is listed with its key and queue until all are deleted', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');
      const listed = (await engine.tasks.list({ queues: ['spec'] })).items;
      expect(listed.map(({ key, queue }) => [key, queue])).toEqual([['unit', 'spec']]);

      const gone = await engine.tasks.bulk({ action: 'delete', filter: { queues: ['spec'] } });

      expect(gone).toMatchObject({ matched: 1, changed: 1 });
      expect(await engine.tasks.findByKey('spec', 'unit')).toBeNull();
      expect((await engine.tasks.list({ queues: ['spec'] })).items).toEqual([]);
    });

    it('[CS WorkUnitQueries] lists go by key, by state, and by both, page by page', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOneOfEach(engine, 'spec');
      const keys = async (
        filter: TaskSelection = {},
        page: { after?: string; limit?: number } = {},
      ) => {
        const sorted = { sort: 'key', direction: 'asc', ...page } as const;
        const { items } = await engine.tasks.list({ queues: ['spec'], ...filter }, sorted);
        return items.map(({ key }) => key);
      };
      const behind = (key: string) => Buffer.from(key).toString('hex');
      const all = ['available', 'delayed', 'expired', 'failed', 'finished', 'pending', 'retryable'];

      expect(await keys()).toEqual(all);
      expect(await keys({}, { limit: 4 })).toEqual(all.slice(0, 4));
      expect(await keys({}, { after: behind('failed'), limit: 4 })).toEqual(all.slice(4));
      expect(await keys({}, { after: behind('retryable') })).toEqual([]);
      expect(await keys({ states: ['queued'] })).toEqual(['available', 'expired', 'retryable']);
      expect(await keys({ states: ['running'] })).toEqual(['pending']);
      expect(await keys({ states: ['succeeded'] })).toEqual(['finished']);
      expect(await keys({ states: ['failed'] })).toEqual(['failed']);
      expect(await keys({ states: ['delayed'] })).toEqual(['delayed']);
      expect(await keys({ states: ['failed', 'succeeded'] })).toEqual(['failed', 'finished']);
      expect(await keys({ keys: ['pending', 'missing', 'failed'] })).toEqual(['failed', 'pending']);
      expect(await keys({ keys: ['pending', 'failed'], states: ['failed'] })).toEqual(['failed']);
    });

    it('[CS DeleteWorkUnits] deletion goes by key, by states, or all, and says how many went', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOneOfEach(engine, 'spec');
      const remove = async (filter: TaskSelection) => {
        const request = { action: 'delete', filter: { queues: ['spec'], ...filter } } as const;
        return (await engine.tasks.bulk(request)).changed;
      };

      expect(await remove({ keys: ['retryable'] })).toBe(1);
      expect(await remove({ keys: ['retryable'] })).toBe(0);
      expect(await remove({ states: ['succeeded', 'failed'] })).toBe(2);
      expect(await remove({})).toBe(4);
      expect(await statesByKey(engine, 'spec')).toEqual({});
    });

    it('[CS WorkUnitData] tasks keep their own params', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await add(
        yard.engine,
        'spec',
        { key: 'a', params: { name: 'a', value: 1 } },
        { key: 'b', params: { name: 'b', value: [null, 2.5] } },
      );

      expect((await yard.engine.tasks.findByKey('spec', 'a'))?.params).toEqual({
        name: 'a',
        value: 1,
      });
      expect((await yard.engine.tasks.findByKey('spec', 'b'))?.params).toEqual({
        name: 'b',
        value: [null, 2.5],
      });
    });

    it('[CS AddWorkUnitBleedover] adding again changes that task and not its namesake elsewhere', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'one');
      await defineQueue(engine, 'two');
      const first = await addOne(engine, 'one', 'unit', { params: { from: 'one' } });
      const other = await addOne(engine, 'two', 'unit', { params: { from: 'two' } });

      const again = await addOne(engine, 'one', 'unit', { params: { from: 'new' } });

      expect(again).toBe(first);
      expect(visibleData(await engine.tasks.get(first))).toEqual({ from: 'new' });
      expect(visibleData(await engine.tasks.get(other))).toEqual({ from: 'two' });
    });

    it('[CS RecreateWorkUnits] adding again makes every task available but a running one', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOneOfEach(engine, 'spec');
      const keys = Object.keys(await statesByKey(engine, 'spec'));

      await add(engine, 'spec', ...keys.map((key) => ({ key, params: {} })));

      const states = await statesByKey(engine, 'spec');
      expect(states).toEqual(
        Object.fromEntries(keys.map((key) => [key, key === 'pending' ? 'running' : 'queued'])),
      );
    });

    it('[CS UnitDeletedGone] a deleted task is gone for whoever still asks', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      const id = await addOne(yard.engine, 'spec', 'unit');
      await yard.engine.tasks.delete(id);

      await expectRefusal(yard.engine.tasks.get(id), 'TASK_NOT_FOUND', { task: id });
    });

    it('[CS UnitSpecDeletedGone] a task is gone with its queue', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      const id = await addOne(yard.engine, 'spec', 'unit');
      await yard.engine.queues.delete('spec', { tasks: 'delete' });

      await expectRefusal(yard.engine.tasks.get(id), 'TASK_NOT_FOUND', { task: id });
      const byKey = yard.engine.tasks.findByKey('spec', 'unit');
      await expectRefusal(byKey, 'QUEUE_NOT_FOUND', { queue: 'spec' });
    });

    it('[CS NotBeforeDelayedStatus] a task is delayed until its time has come', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const notBefore = later(clock.now(), minutes(1));
      const id = await addOne(engine, 'spec', 'unit', { notBefore });
      expect(await stateOf(engine, id)).toBe('delayed');

      await clock.advance(minutes(1));

      expect(await stateOf(engine, id)).toBe('queued');
    });

    it('[CS SetMeta of a unit] a new notBefore delays a waiting task, a past one or none readies it', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const at = (ms: number) => later(clock.now(), ms);

      expect((await engine.tasks.edit(id, { notBefore: at(minutes(1)) })).state).toBe('delayed');
      expect((await engine.tasks.edit(id, { notBefore: at(-minutes(1)) })).state).toBe('queued');
      await engine.tasks.edit(id, { notBefore: at(minutes(1)) });
      expect((await engine.tasks.edit(id, { notBefore: null })).state).toBe('queued');
    });

    it('[CS Deleting a unit] takes its attempts out of the lists of every node', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');
      await settle(engine, await askOne(engine, { node: 'first' }), 'released');
      const { taskId } = await askOne(engine, { node: 'second' });

      await engine.tasks.delete(taskId);

      expect(await attemptsOf(engine, 'first')).toEqual([]);
      expect(await attemptsOf(engine, 'second')).toEqual([]);
    });
  });
}

async function attemptsOf(engine: Engine, node: string) {
  const live = await engine.attempts.listByNode(node, { live: true });
  const ended = await engine.attempts.listByNode(node, { live: false });
  return [...live.items, ...ended.items];
}
