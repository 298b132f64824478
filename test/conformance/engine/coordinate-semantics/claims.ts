import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { settle, stateOf } from '../scene.ts';
import { add, addOne, ask, askOne, defineQueue } from './coordinate-queue.ts';

export function claimSemantics(subject: EngineUnderTest): void {
  describe('claims', () => {
    it('[CS WorkUnitOrder] tasks of equal priority go by key', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await add(yard.engine, 'spec', { key: 'c' }, { key: 'a' }, { key: 'b' });

      const order = [];
      for (let i = 0; i < 3; i += 1) order.push((await askOne(yard.engine)).key);

      expect(order).toEqual(['a', 'b', 'c']);
    });

    it('[CS WorkUnitPriorityCtor] a priority given with the task is kept and goes first', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await add(yard.engine, 'spec', { key: 'a' }, { key: 'b', priority: 10 }, { key: 'c' });

      expect((await yard.engine.tasks.findByKey('spec', 'b'))?.priority).toBe(10);
      expect((await ask(yard.engine, { limit: 3 })).map(({ key }) => key)).toEqual(['b', 'a', 'c']);
    });

    it('[CS WorkUnitPrioritySet] priorities are set, set in bulk, and adjusted in bulk', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const [, b] = await add(engine, 'spec', ...['a', 'b', 'c', 'd'].map((key) => ({ key })));
      const bulk = (keys: string[], change: { priority?: number; priorityBy?: number }) =>
        engine.tasks.bulk({ action: 'edit', filter: { queues: ['spec'], keys }, change });

      await engine.tasks.edit(b as string, { priority: 10 });
      await bulk(['c', 'd'], { priority: 20 });
      await bulk(['d'], { priorityBy: 5 });
      await bulk(['d'], { priorityBy: 5 });

      const claims = await ask(engine, { limit: 4 });
      expect(claims.map(({ key, priority }) => [key, priority])).toEqual([
        ['d', 30],
        ['c', 20],
        ['b', 10],
        ['a', 0],
      ]);
    });

    it('[CS MaxRunning] a queue runs no more than its limit', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', { maxRunning: 1 });
      await add(yard.engine, 'spec', ...Array.from({ length: 30 }, (_, i) => ({ key: `u${i}` })));

      const first = await askOne(yard.engine);
      expect(await ask(yard.engine)).toEqual([]);

      await settle(yard.engine, first, 'succeeded');
      expect(await ask(yard.engine, { limit: 20 })).toHaveLength(1);
    });

    it('[CS RequestSpecificSpec] a claim may name queues, and the highest of them goes first', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const [name, priority] of [
        ['one', 20],
        ['two', 10],
        ['three', 0],
      ] as const) {
        await defineQueue(engine, name, { priority });
        await add(engine, name, ...Array.from({ length: 5 }, (_, i) => ({ key: `${name}-${i}` })));
      }
      const from = async (queues?: string[]) =>
        (await ask(engine, queues ? { queues } : {})).map(({ queue }) => queue);

      expect(await from()).toEqual(['one']);
      expect(await from(['three'])).toEqual(['three']);
      expect(await from(['three', 'two'])).toEqual(['two']);
      expect(await from(['four'])).toEqual([]);
      expect(await from([])).toEqual(['one']);
    });

    it('[CS ByRuntime] a claim may name runtimes; "" is the queues that name none', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'p', { priority: 1 });
      await defineQueue(engine, 'g', { runtime: 'go' });
      await addOne(engine, 'p', 'p');
      await addOne(engine, 'g', 'g');
      const from = async (runtimes?: string[]) => {
        const claimed = await askOne(engine, runtimes ? { runtimes } : {});
        await settle(engine, claimed, 'released', { delayMs: 0 });
        return claimed.queue;
      };

      expect(await from()).toBe('p');
      expect(await from([''])).toBe('p');
      expect(await from(['', 'go'])).toBe('p');
      expect(await from(['go'])).toBe('g');
      expect(await ask(engine, { runtimes: ['java'] })).toEqual([]);
    });

    it('[CS NotBeforeAttempt] a delayed task is given out when its time has come, not before', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec');
      await addOne(yard.engine, 'spec', 'unit', { delayMs: minutes(1) });
      expect(await ask(yard.engine)).toEqual([]);

      await yard.clock.advance(minutes(1));

      expect((await askOne(yard.engine)).key).toBe('unit');
    });

    it('[CS NotBeforePriority] a task that may run goes before a delayed one of higher priority', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'first');
      await addOne(engine, 'spec', 'second', { priority: 10, delayMs: minutes(1) });

      const first = await askOne(engine);
      expect(first.key).toBe('first');
      await settle(engine, first, 'succeeded');
      expect(await ask(engine)).toEqual([]);

      await addOne(engine, 'spec', 'third');
      await yard.clock.advance(minutes(1));
      expect((await askOne(engine)).key).toBe('second');
    });

    it('[CS RetryDelay] a task released with a delay is delayed, then given out again', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      await settle(engine, await askOne(engine), 'released', { delayMs: seconds(90) });

      await clock.advance(seconds(60));
      expect(await stateOf(engine, id)).toBe('delayed');
      expect(await ask(engine)).toEqual([]);

      await clock.advance(seconds(60));
      expect(await stateOf(engine, id)).toBe('queued');
      expect((await askOne(engine)).key).toBe('unit');
    });

    it('[CS ConcurrentExecution] every task is done exactly once, however many ask at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      await add(engine, 'spec', ...Array.from({ length: 100 }, (_, i) => ({ key: `u${i}` })));
      const done: string[] = [];

      await Promise.all(
        Array.from({ length: 8 }, async (_, worker) => {
          for (;;) {
            const [mine] = await ask(engine, { node: `worker${worker}` });
            if (!mine) return;
            await settle(engine, mine, 'succeeded');
            done.push(String(mine.key));
          }
        }),
      );

      expect(done.toSorted()).toEqual(Array.from({ length: 100 }, (_, i) => `u${i}`).toSorted());
      expect(await engine.queues.countsOf('spec')).toMatchObject({ queued: 0, succeeded: 100 });
    });

    it('[CS AddSameUnit] the same keys may be added by many at once', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const batches = Array.from({ length: 10 }, (_, batch) =>
        Array.from({ length: 100 }, (_, i) => ({ key: `u${batch * 100 + i}`, params: {} })),
      );

      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (const batch of batches) await add(engine, 'spec', ...batch);
        }),
      );

      expect(await engine.queues.countsOf('spec')).toMatchObject({ queued: 1000 });
    });
  });
}
