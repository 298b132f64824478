import { describe, expect, it } from 'vitest';
import type { Engine, Json } from '../../../../src/core/index.ts';
import { seconds } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { listByKey, settle } from '../scene.ts';
import { addOne, ask, askOne, defineQueue, expire, visibleData } from './coordinate-queue.ts';

export function chainingSemantics(subject: EngineUnderTest): void {
  describe('chaining', () => {
    it('[CS WorkUnitChaining] what a success emits goes to the next queue and gathers there', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineChain(engine);
      for (const key of ['a', 'b', 'c', 'd']) await addOne(engine, 'one', key);
      const finish = async (...emit: { key: string; params?: object }[]) => {
        const claim = await askOne(engine, { queues: ['one'] });
        await settle(engine, claim, 'succeeded', {
          output: {},
          emit: emit.map(({ key, params = {} }) => ({ key, params: { ...params } })),
        });
        return (await listByKey(engine, 'two')).map((task) => [task.key, task.params]);
      };

      expect(await finish()).toEqual([]);
      expect(await finish({ key: 'u', params: { k: 'v' } })).toEqual([['u', { k: 'v' }]]);
      expect(await finish({ key: 's' }, { key: 't' })).toEqual([
        ['s', {}],
        ['t', {}],
        ['u', { k: 'v' }],
      ]);
      expect(await finish({ key: 'z' })).toHaveLength(4);
    });

    it('[CS ChainingMixed] the same key twice in one output: the later one wins', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineChain(engine);
      await addOne(engine, 'one', 'a');

      await settle(engine, await askOne(engine, { queues: ['one'] }), 'succeeded', {
        emit: [
          { key: 'key', params: {} },
          { key: 'key', params: { data: 'x' }, priority: 10 },
        ],
      });

      const tasks = await listByKey(engine, 'two');
      expect(tasks.map(({ key, params, priority }) => ({ key, params, priority }))).toEqual([
        { key: 'key', params: { data: 'x' }, priority: 10 },
      ]);
    });

    it('[CS ChainingTwoStep] data renewed before the end stay; keys may be any bytes', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineChain(engine);
      const id = await addOne(engine, 'one', 'a');
      const claim = await askOne(engine, { queues: ['one'] });
      const data: Json = { output: [['key', { x: 1 }, { priority: 0 }]] };
      await engine.attempts.renew([{ taskId: id, fence: claim.fence, data }]);

      // The door finds the output in what was renewed, and hands its items in as emissions.
      expect(visibleData(await engine.tasks.get(id))).toEqual(data);
      const key = Uint8Array.of(1, 2, 3, 0xff);
      await settle(engine, claim, 'succeeded', { emit: [{ key, params: { x: 1 }, priority: 0 }] });

      expect((await engine.tasks.get(id)).result).toEqual(data);
      const next = await askOne(engine, { queues: ['two'] });
      expect(next).toMatchObject({ params: { x: 1 }, priority: 0 });
      expect(Buffer.from(next.key as Uint8Array)).toEqual(Buffer.from(key));
    });

    it('[CS ChainingExpiry] a superseded attempt may finish, and emits nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineChain(engine);
      await addOne(engine, 'one', 'a');
      const first = await askOne(engine, { queues: ['one'] });
      await expire(engine, first);
      const second = await askOne(engine, { queues: ['one'] });

      const late = await settle(engine, first, 'succeeded', { emit: [{ key: 'unit' }] });

      expect(late.status).toBe('late');
      expect(await listByKey(engine, 'two')).toEqual([]);
      expect((await engine.tasks.get(second.taskId)).state).toBe('running');
    });

    it('[CS ChainingDuplicate] emitting a finished task again makes it run again', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineChain(engine);
      for (const key of ['a', 'b']) await addOne(engine, 'one', key);
      const emit = async () => {
        const claim = await askOne(engine, { queues: ['one'] });
        await settle(engine, claim, 'succeeded', { emit: [{ key: 'z', params: {} }] });
      };
      await emit();
      await settle(engine, await askOne(engine, { queues: ['two'] }), 'succeeded');
      expect(await ask(engine, { queues: ['two'] })).toEqual([]);

      await emit();

      expect((await askOne(engine, { queues: ['two'] })).key).toBe('z');
    });

    it('[CS DelayedOutput] an emission with a delay waits that long', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineChain(engine);
      await addOne(engine, 'one', 'a');
      await settle(engine, await askOne(engine, { queues: ['one'] }), 'succeeded', {
        emit: [{ key: 'later', params: {}, delayMs: seconds(90) }],
      });

      await clock.advance(seconds(5));
      expect(await ask(engine)).toEqual([]);
      await clock.advance(seconds(120));
      expect((await askOne(engine)).key).toBe('later');
    });

    it('[CS Chaining, beyond] without a next queue, or when it is missing, emissions are dropped', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'alone');
      await defineQueue(engine, 'dangling', { nextQueue: 'nowhere' });
      for (const queue of ['alone', 'dangling']) {
        await addOne(engine, queue, 'a');
        const claim = await askOne(engine, { queues: [queue] });

        const answer = await settle(engine, claim, 'succeeded', { emit: [{ key: 'x' }] });

        expect(answer).toMatchObject({ status: 'applied', state: 'succeeded' });
      }
      expect((await engine.tasks.list()).items).toHaveLength(2);
    });
  });
}

async function defineChain(engine: Engine): Promise<void> {
  await defineQueue(engine, 'one', { nextQueue: 'two' });
  await defineQueue(engine, 'two');
}
