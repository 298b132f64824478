import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/core/index.ts';
import { hours, minutes, seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claim, claimOne, later, settle, stateOf, submitOne } from './scene.ts';

const ALWAYS = (value: number): Random => ({ ...seededRandom(1), next: () => value });

export function attemptRetries(subject: EngineUnderTest): void {
  describe('retries', () => {
    it('wait a random part of base × factor^(tries − 1), at most the ceiling', async () => {
      await using yard = await subject.open({ random: ALWAYS(0.5) });
      const { engine, clock } = yard;
      const retry = { baseMs: 1000, factor: 4, maxMs: seconds(10) };
      await engine.queues.create('q', { maxAttempts: null, retry });
      const id = await submitOne(engine, 'q');
      const waits = [];
      for (let i = 0; i < 4; i += 1) {
        await settle(engine, await claimOne(engine), 'failed');
        const { state, notBefore } = await engine.tasks.get(id);
        expect(state).toBe('delayed');
        waits.push((notBefore?.getTime() ?? 0) - clock.now().getTime());
        await clock.advance(seconds(10));
      }

      expect(waits).toEqual([500, 2000, 5000, 5000]);
    });

    it('stay within their bounds, whatever chance says', async () => {
      await using yard = await subject.open({ random: seededRandom(7) });
      const { engine, clock } = yard;
      const retry = { baseMs: 1000, factor: 1, maxMs: seconds(10) };
      await engine.queues.create('q', { maxAttempts: null, retry });
      const waits = [];
      for (let i = 0; i < 30; i += 1) {
        const id = await submitOne(engine, 'q');
        const held = await engine.attempts.claimTask(id, { node: 'n1' });
        await settle(engine, held, 'failed');
        const { notBefore } = await engine.tasks.get(id);
        waits.push(notBefore === null ? 0 : notBefore.getTime() - clock.now().getTime());
      }

      expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...waits)).toBeLessThan(1000);
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(500);
    });

    it('wait as long as the failure says, when it says so', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'failed', { delayMs: minutes(7) });

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'delayed',
        notBefore: later(clock.now(), minutes(7)),
      });
    });

    it('end after maxAttempts, judged when an attempt ends', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: 3 });
      const id = await submitOne(engine, 'q');
      for (let tries = 1; tries <= 2; tries += 1) {
        await settle(engine, await claimOne(engine), 'failed', { delayMs: 0 });
        expect(await engine.tasks.get(id)).toMatchObject({ state: 'queued', tryCount: tries });
      }

      await settle(engine, await claimOne(engine), 'failed', { delayMs: 0, error: 'third' });

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'failed',
        tryCount: 3,
        error: 'third',
      });
    });

    it('do not happen after a failure that is final', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxAttempts: null });
      const id = await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'failed', { final: true });

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'failed', tryCount: 1 });
    });

    it('begin anew without the result of the try before', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q');
      await settle(engine, await claimOne(engine), 'failed', { output: 'half', delayMs: 0 });

      expect((await engine.tasks.get(id)).result).toBeNull();
      expect(await claimOne(engine)).toMatchObject({ taskId: id, tryCount: 1, claimCount: 2 });
    });

    it('end with maxClaims when the next attempt would begin, counted or not', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxClaims: 2, maxAttempts: null });
      const id = await submitOne(engine, 'q');
      for (let i = 0; i < 2; i += 1) await settle(engine, await claimOne(engine), 'released');
      expect(await stateOf(engine, id)).toBe('queued');

      expect(await claim(engine)).toEqual([]);

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'failed',
        error: 'too many retries',
      });
    });

    it('leave other tasks to the claim that met one beyond maxClaims', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxClaims: 1 });
      await submitOne(engine, 'q', { key: 'over', priority: 1 });
      await settle(engine, await claimOne(engine), 'released');
      await submitOne(engine, 'q', { key: 'fresh' });

      expect((await claimOne(engine)).key).toBe('fresh');
    });

    it('give a repeated claim the same task, past those that were beyond maxClaims', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { maxClaims: 1 });
      for (const key of ['over-1', 'over-2']) {
        await submitOne(engine, 'q', { key, priority: 1 });
        await settle(engine, await claimOne(engine), 'released', { delayMs: 0 });
        await engine.tasks.hold((await engine.tasks.findByKey('q', key))?.id ?? '');
      }
      await engine.tasks.bulk({ action: 'release', filter: { queues: ['q'] } });
      for (const key of ['a', 'b', 'c']) await submitOne(engine, 'q', { key });
      const request = { node: 'n', limit: 1, token: 'once-only' };

      const { claims: first } = await engine.attempts.claim(request);
      const { claims: again } = await engine.attempts.claim(request);

      expect(first).toMatchObject([{ key: 'a' }]);
      expect(again).toEqual(first);
    });
  });

  describe('tasks whose node was lost', () => {
    it('are tried again with onLost requeue, and the loss counts', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { onLost: 'requeue', leaseMs: seconds(10) });
      const id = await submitOne(engine, 'q');
      await claimOne(engine);

      await clock.advance(seconds(11));

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'queued',
        tryCount: 1,
        lossCount: 1,
        lastOutcome: 'orphaned',
      });
    });

    it('are parked with onLost park, and failed with onLost fail', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('park', { onLost: 'park' });
      await engine.queues.create('fail', { onLost: 'fail' });
      const park = await submitOne(engine, 'park');
      const fail = await submitOne(engine, 'fail');
      await claim(engine, { limit: 2 });

      await clock.advance(seconds(31));

      expect(await stateOf(engine, park)).toBe('orphaned');
      expect(await stateOf(engine, fail)).toBe('failed');
      expect((await engine.tasks.retry(park)).state).toBe('queued');
    });

    it('are set aside after maxLosses, until they are released', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxLosses: 2, maxAttempts: null, leaseMs: seconds(10) });
      const id = await submitOne(engine, 'q');
      for (let i = 0; i < 2; i += 1) {
        await claimOne(engine);
        await clock.advance(seconds(11));
      }

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'held', hold: 'quarantined' });
      expect(await claim(engine)).toEqual([]);
      expect((await engine.tasks.release(id)).state).toBe('queued');
      expect(await claim(engine)).toHaveLength(1);
    });

    it('fail when their tries are over', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { maxLosses: null, maxAttempts: 2 });
      const id = await submitOne(engine, 'q');
      for (let i = 0; i < 2; i += 1) {
        await claimOne(engine);
        await clock.advance(seconds(31));
      }

      expect(await stateOf(engine, id)).toBe('failed');
    });

    it('may be given up by a word of their holder, to the same end', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q', { onLost: 'park', leaseMs: hours(1) });
      const id = await submitOne(engine, 'q');

      await settle(engine, await claimOne(engine), 'orphaned');

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'orphaned',
        endedAt: clock.now(),
        lastOutcome: 'orphaned',
      });
    });
  });
}
