import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  expectRefusal,
  letCallsArrive,
  settle,
  submitKeys,
  submitOne,
  turnUntil,
} from './scene.ts';

export function taskWait(subject: EngineUnderTest): void {
  describe('tasks.wait', () => {
    it('resolves at once when nothing is left', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q');
      await settle(engine, await claimOne(engine), 'failed', { final: true });

      const answer = await engine.tasks.wait({ filter: { queues: ['q'] }, timeoutMs: minutes(1) });

      expect(answer).toEqual({ done: true, unfinished: 0 });
    });

    it('resolves when the last task ends, without time passing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b']);
      const held = await claim(engine, { limit: 2 });
      const waits = engine.tasks.wait({ filter: { queues: ['q'] }, timeoutMs: minutes(1) });
      await letCallsArrive(engine);

      for (const one of held) await settle(engine, one, 'succeeded');

      expect(await waits).toEqual({ done: true, unfinished: 0 });
    });

    it('looks at the tasks that match only', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { labels: { run: '1' } });
      await submitOne(engine, 'q', { labels: { run: '2' } });
      await settle(engine, await claimOne(engine), 'succeeded');

      for (const filter of [{ labels: { run: '1' } }, { ids: [id] }]) {
        expect(await engine.tasks.wait({ filter, timeoutMs: 0 })).toEqual({
          done: true,
          unfinished: 0,
        });
      }
      expect(await engine.tasks.wait({ filter: {}, timeoutMs: 0 })).toEqual({
        done: false,
        unfinished: 1,
      });
    });

    it('gives up after its time and says what is left: waiting, held, delayed and running', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q');
      await claimOne(engine, { leaseMs: minutes(10) });
      await submitOne(engine, 'q');
      await submitOne(engine, 'q', { hold: true });
      await submitOne(engine, 'q', { delayMs: minutes(10) });
      const began = clock.now().getTime();

      const waits = engine.tasks.wait({ filter: { queues: ['q'] }, timeoutMs: seconds(10) });

      expect(await turnUntil(yard, waits)).toEqual({ done: false, unfinished: 4 });
      expect(clock.now().getTime() - began).toBeGreaterThanOrEqual(seconds(10));
    });

    it('refuses a queue that is not there', async () => {
      await using yard = await subject.open();

      const call = yard.engine.tasks.wait({ filter: { queues: ['nope'] }, timeoutMs: 0 });
      await expectRefusal(call, 'QUEUE_NOT_FOUND', { queue: 'nope' });
    });
  });
}
