import { describe, expect, it } from 'vitest';
import { hours, seconds } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { settle } from '../scene.ts';
import { addOne, ask, askOne, defineQueue } from './coordinate-queue.ts';

export function continuousSemantics(subject: EngineUnderTest): void {
  describe('continuous queues', () => {
    it('[CS Continuous] an idle one makes a task for whoever asks, while it is switched on', async () => {
      await using yard = await subject.open();
      const { clock } = yard;
      const engine = yard.engine.in('');
      await defineQueue(engine, 'spec', { continuous: true });

      const first = await askOne(engine);
      expect(first.params).toEqual({});
      const at = clock.now().getTime();
      expect(first.key).toBe((at / 1000).toFixed(3));
      await settle(engine, first, 'succeeded');

      await engine.queues.set('spec', { continuous: false });
      await clock.advance(seconds(5));
      expect(await ask(engine)).toEqual([]);

      await engine.queues.set('spec', { continuous: true });
      await clock.advance(seconds(5));
      expect(await ask(engine)).toHaveLength(1);
    });

    it('[CS ContinuousInterval] at most one per interval, and missed ones are not made up for', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec', { continuous: true, intervalMs: seconds(60) });
      const start = clock.now().getTime();

      await settle(engine, await askOne(engine), 'succeeded');
      const { nextContinuousAt } = await engine.queues.get('spec');
      expect(nextContinuousAt?.getTime()).toBe(start + seconds(60));

      await clock.advance(seconds(30));
      expect(await ask(engine)).toEqual([]);
      await clock.advance(seconds(30));
      await settle(engine, await askOne(engine), 'succeeded');

      await clock.advance(seconds(120));
      await settle(engine, await askOne(engine), 'succeeded');
      expect(await ask(engine)).toEqual([]);
    });

    it('[CS OneDayInterval] an interval of a day gives exactly one at the first request', async () => {
      await using yard = await subject.open();
      await defineQueue(yard.engine, 'spec', { continuous: true, intervalMs: hours(24) });

      expect(await ask(yard.engine, { limit: 10 })).toHaveLength(1);
      expect(await ask(yard.engine)).toEqual([]);
    });

    it('[CS Continuous, beyond] none is made while a task waits or runs; ended and delayed ones do not matter', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec', { continuous: true });
      await addOne(engine, 'spec', 'own');
      await addOne(engine, 'spec', 'later', { delayMs: hours(1) });

      const own = await askOne(engine);
      expect(own.key).toBe('own');
      expect(await ask(engine)).toEqual([]);

      await settle(engine, own, 'failed', { final: true });
      await clock.advance(seconds(1));
      expect((await askOne(engine)).key).not.toBe('later');
    });

    it('[CS Continuous, beyond] defining it again lets the next one start at once', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      const settings = { continuous: true, intervalMs: hours(1) };
      await defineQueue(engine, 'spec', settings);
      await settle(engine, await askOne(engine), 'succeeded');
      await clock.advance(seconds(1));
      expect(await ask(engine)).toEqual([]);

      const queue = await defineQueue(engine, 'spec', settings);

      expect(queue.nextContinuousAt).toBeNull();
      expect(await ask(engine)).toHaveLength(1);
    });
  });
}
