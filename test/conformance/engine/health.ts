import { describe, expect, it } from 'vitest';
import type { EngineUnderTest } from './engine-under-test.ts';
import { refusal } from './scene.ts';

export function health(subject: EngineUnderTest): void {
  describe('health', () => {
    it('says which store answers, whether it lasts, its clock and what serves it', async () => {
      await using yard = await subject.open();

      const health = await yard.engine.health();

      expect(health).toEqual({
        store: expect.stringMatching(/./),
        durable: expect.any(Boolean),
        now: yard.clock.now(),
        version: expect.stringMatching(/^\d/),
      });
    });

    it('is refused when the store is away, like every other call, with what to do', async () => {
      await using yard = await subject.open();
      await yard.closeStore();

      for (const call of [() => yard.engine.health(), () => yard.engine.queues.list()]) {
        const error = await refusal(call());
        expect(error.code).toBe('STORE_UNAVAILABLE');
        expect(error.details).toMatchObject({
          problem: expect.stringMatching(/./),
          remedy: expect.stringMatching(/./),
        });
      }
    });
  });
}
