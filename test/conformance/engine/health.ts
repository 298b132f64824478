import { describe, expect, it } from 'vitest';
import { type Engine, FINDING_LEVELS } from '../../../src/core/index.ts';
import { hours, minutes } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { refusal, submitOne } from './scene.ts';

const READY = { slots: 2, programs: true };

/** Findings that are no good news, by what they are about. */
async function troubles(engine: Engine): Promise<Record<string, string>> {
  const findings = await engine.examine();
  // How durable a test's server is set up is not the engine's doing.
  const bad = findings.filter(({ level, topic }) => level !== 'fine' && topic !== 'durability');
  return Object.fromEntries(bad.map(({ topic, text }) => [topic, text]));
}

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

  describe('examine', () => {
    it('finds nothing bad where all is well', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await yard.engine.nodes.heartbeat('n1', READY);
      await submitOne(yard.engine, 'q');

      expect(await troubles(yard.engine)).toEqual({});
    });

    it('finds queues whose tasks nobody takes, and says why; the worst comes first', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('alone');
      await engine.queues.create('rests', { paused: true });
      for (const queue of ['alone', 'rests']) await submitOne(engine, queue);
      expect(await troubles(engine)).toEqual({
        'queue alone': expect.stringMatching(/^1 task waiting, and no node is live/),
      });

      await engine.nodes.heartbeat('n1', { ...READY, queuesNot: ['alone'] });

      expect(await troubles(engine)).toEqual({
        'queue alone': expect.stringMatching(/^1 task waiting\. ./),
      });
      const levels = (await engine.examine()).map(({ level }) => level);
      expect(levels).toEqual(
        levels.toSorted((a, b) => FINDING_LEVELS.indexOf(a) - FINDING_LEVELS.indexOf(b)),
      );
    });

    it('finds nodes that are gone with tasks in their hands, and nodes of another version', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { leaseMs: hours(1) });
      await submitOne(engine, 'q');
      await engine.nodes.heartbeat('gone', READY);
      await engine.attempts.claim({ node: 'gone', limit: 1 });
      await clock.advance(minutes(10));
      await engine.nodes.heartbeat('old', { ...READY, version: '0.0.1' });

      expect(await troubles(engine)).toEqual({
        'node gone': expect.stringMatching(/holds 1 task/),
        'node old': expect.stringMatching(/version 0\.0\.1/),
      });
    });

    it('is for admins', async () => {
      await using yard = await subject.open();
      const operator = await yard.as({ name: 'o', role: 'operator', namespaces: null });

      expect((await refusal(operator.examine())).code).toBe('FORBIDDEN');
    });
  });
}
