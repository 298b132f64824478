import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/core/index.ts';
import { hours } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { settle } from '../scene.ts';
import { add, addOne, ask, askOne, defineQueue } from './coordinate-queue.ts';

const DRAWS = 300;

export function queueChoiceSemantics(subject: EngineUnderTest): void {
  describe('the choice of a queue', () => {
    it('[CS Scheduler] nothing to do is no work', async () => {
      await using yard = await subject.open();
      expect(await ask(yard.engine)).toEqual([]);

      await defineQueue(yard.engine, 'empty');
      await defineQueue(yard.engine, 'delayed');
      await addOne(yard.engine, 'delayed', 'unit', { delayMs: hours(1) });

      expect(await ask(yard.engine)).toEqual([]);
    });

    it('[CS Scheduler] paused, full and weightless queues are never chosen', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      for (const [name, settings] of Object.entries({
        paused: { paused: true, priority: 9 },
        weightless: { weight: 0, priority: 9 },
        full: { maxRunning: 1, priority: 9 },
        open: {},
      })) {
        await defineQueue(engine, name, settings);
        await add(engine, name, { key: 'a' }, { key: 'b' });
      }
      expect((await askOne(engine)).queue).toBe('full');

      expect((await askOne(engine)).queue).toBe('open');
      expect((await askOne(engine)).queue).toBe('open');
      expect(await ask(engine)).toEqual([]);
    });

    it('[CS Scheduler] a higher priority always wins while it has work', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'high', { priority: 1, weight: 1 });
      await defineQueue(engine, 'low', { weight: 1000 });
      await add(engine, 'high', { key: 'a' }, { key: 'b' });
      await add(engine, 'low', { key: 'a' }, { key: 'b' });

      const order = [];
      for (let i = 0; i < 4; i += 1) order.push((await askOne(engine)).queue);

      expect(order).toEqual(['high', 'high', 'low', 'low']);
    });

    it('[CS Scheduler] equal weights share equally', async () => {
      await using yard = await subject.open();
      await defineRivals(yard.engine, 20, 20);

      await expectShare(yard.engine, 1 / 2);
    });

    it('[CS Scheduler] weights 1 and 10 share as 1 to 10', async () => {
      await using yard = await subject.open();
      await defineRivals(yard.engine, 1, 10);

      await expectShare(yard.engine, 10 / 11);
    });

    it('[CS Scheduler] what already runs counts against a queue: 3 to 8', async () => {
      await using yard = await subject.open();
      await defineRivals(yard.engine, 1, 10);
      await ask(yard.engine, { queues: ['two'], limit: 2 });

      await expectShare(yard.engine, 8 / 11);
    });

    it('[CS Scheduler] a queue with far more than its share gets nothing', async () => {
      await using yard = await subject.open();
      await defineRivals(yard.engine, 10, 1);
      await ask(yard.engine, { queues: ['two'], limit: 2 });

      await expectShare(yard.engine, 0, 50);
    });

    it('[CS Scheduler] a continuous queue takes part by its weight, only while it is idle', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'ordinary', { weight: 1 });
      await add(engine, 'ordinary', { key: 'a' }, { key: 'b' });
      await defineQueue(engine, 'continuous', { weight: 1_000_000, continuous: true });

      expect((await askOne(engine)).queue).toBe('continuous');
      expect((await askOne(engine)).queue).toBe('ordinary');
    });

    it('[CS Scheduler] a continuous queue whose time has not come stands in nobody’s way', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      const settings = { continuous: true, intervalMs: hours(1), priority: 1 };
      await defineQueue(engine, 'continuous', settings);
      await settle(engine, await askOne(engine), 'succeeded');
      await defineQueue(engine, 'ordinary');
      await addOne(engine, 'ordinary', 'unit');

      expect((await askOne(engine)).queue).toBe('ordinary');
    });
  });
}

async function defineRivals(engine: Engine, one: number, two: number): Promise<void> {
  for (const [name, weight] of Object.entries({ one, two })) {
    await defineQueue(engine, name, { weight });
    await add(engine, name, ...['a', 'b', 'c', 'd'].map((key) => ({ key })));
  }
}

/** Draws again and again from the same situation: queue two comes up with this chance, within three deviations. */
async function expectShare(engine: Engine, chance: number, draws = DRAWS): Promise<void> {
  let hits = 0;
  for (let i = 0; i < draws; i += 1) {
    const claim = await askOne(engine);
    if (claim.queue === 'two') hits += 1;
    await settle(engine, claim, 'released');
  }
  const deviation = Math.sqrt(draws * chance * (1 - chance));
  expect(Math.abs(hits - draws * chance)).toBeLessThanOrEqual(3 * deviation);
}
