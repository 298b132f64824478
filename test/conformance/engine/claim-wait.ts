import { describe, expect, it } from 'vitest';
import { seconds } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimKeys,
  claimOne,
  letCallsArrive,
  settle,
  submitKeys,
  submitOne,
  turnUntil,
} from './scene.ts';

const WAIT = { waitMs: seconds(30) };

export function claimWait(subject: EngineUnderTest): void {
  describe('a claim that waits', () => {
    it('answers at once when there is work', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      await submitOne(yard.engine, 'q', { key: 'k' });

      expect(await claimKeys(yard.engine, WAIT)).toEqual(['k']);
    });

    it('gets a task that is submitted meanwhile, without time passing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const waits = claimKeys(engine, WAIT);
      await letCallsArrive(engine);

      await submitOne(engine, 'q', { key: 'k' });

      expect(await waits).toEqual(['k']);
    });

    it('gets a task when its delay is over', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'k', delayMs: seconds(5) });
      const began = clock.now().getTime();
      const waits = claimKeys(engine, WAIT);

      expect(await turnUntil(yard, waits)).toEqual(['k']);

      const waited = clock.now().getTime() - began;
      expect(waited).toBeGreaterThanOrEqual(seconds(5));
      expect(waited).toBeLessThan(seconds(10));
    });

    it('gets a task whose lease ran out meanwhile', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'k' });
      await claimOne(engine, { leaseMs: seconds(5) });

      expect(await turnUntil(yard, claimKeys(engine, { ...WAIT, node: 'n2' }))).toEqual(['k']);
    });

    it('gets a task when its queue is resumed, a limit is raised, or a place becomes free', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q', { paused: true, maxRunning: 1 });
      await submitKeys(engine, 'q', ['a', 'b', 'c']);

      const first = claim(engine, WAIT);
      await letCallsArrive(engine);
      await engine.queues.resume('q');
      const [a] = await turnUntil(yard, first);
      expect(a?.key).toBe('a');

      const second = claim(engine, WAIT);
      await letCallsArrive(engine);
      if (a) await settle(engine, a, 'succeeded');
      expect((await second).map(({ key }) => key)).toEqual(['b']);

      const third = claim(engine, WAIT);
      await letCallsArrive(engine);
      await engine.queues.set('q', { maxRunning: 2 });
      expect((await turnUntil(yard, third)).map(({ key }) => key)).toEqual(['c']);
    });

    it('gets a task that is released or retried, without time passing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k', hold: true });

      const first = claim(engine, WAIT);
      await letCallsArrive(engine);
      await engine.tasks.release(id);
      const [held] = await first;
      expect(held?.key).toBe('k');

      if (held) await settle(engine, held, 'failed', { final: true });
      const second = claimKeys(engine, WAIT);
      await letCallsArrive(engine);
      await engine.tasks.retry(id);
      expect(await second).toEqual(['k']);
    });

    it('gives up after its time with nothing', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const began = clock.now().getTime();

      const waits = engine.attempts.claim({ node: 'n1', waitMs: seconds(10) });

      expect(await turnUntil(yard, waits)).toEqual({ claims: [], queues: {} });
      expect(clock.now().getTime() - began).toBeGreaterThanOrEqual(seconds(10));
    });

    it('gives up with nothing when it is aborted', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const abort = new AbortController();
      const waits = engine.attempts.claim({ node: 'n1', ...WAIT, signal: abort.signal });
      await letCallsArrive(engine);

      abort.abort();

      expect(await waits).toEqual({ claims: [], queues: {} });
      await letCallsArrive(engine);
      await submitOne(engine, 'q', { key: 'k' });
      expect(await claimKeys(engine, { node: 'n2' })).toEqual(['k']);
    });

    it('shares what comes with the others that wait, each task to one', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const waits = Array.from({ length: 5 }, (_, i) =>
        claimKeys(engine, { ...WAIT, node: `n${i}` }),
      );
      await letCallsArrive(engine);

      await submitKeys(engine, 'q', ['a', 'b', 'c', 'd', 'e']);

      const got = await Promise.all(waits);
      expect(got.map((keys) => keys.length)).toEqual([1, 1, 1, 1, 1]);
      expect(got.flat().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    });

    it('is not woken in vain: a task another waiter cannot take goes to the one who can', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('other');
      await engine.queues.create('q');
      const cannot = claimKeys(engine, { ...WAIT, queues: ['other'] });
      const can = claimKeys(engine, { ...WAIT, queues: ['q'] });
      await letCallsArrive(engine);

      await submitOne(engine, 'q', { key: 'k' });

      expect(await can).toEqual(['k']);
      await submitOne(engine, 'other', { key: 'o' });
      expect(await cannot).toEqual(['o']);
    });
  });

  describe('a claim with a token', () => {
    it('repeated, gives the same claims again and takes nothing new', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b', 'c']);
      const first = await claim(engine, { token: 't1', limit: 2 });

      expect(await claim(engine, { token: 't1', limit: 2 })).toEqual(first);

      expect(first.map(({ key }) => key)).toEqual(['a', 'b']);
      expect(await claimKeys(engine, { token: 't2', limit: 2 })).toEqual(['c']);
    });

    it('repeated, gives only those that are still held', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(engine, 'q', ['a', 'b', 'c']);
      const [a] = await claim(engine, { token: 't1', limit: 2 });
      if (a) await settle(engine, a, 'succeeded');

      expect(await claimKeys(engine, { token: 't1', limit: 2 })).toEqual(['b']);
    });

    it('gives them again even when nothing else is left to claim', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitOne(engine, 'q', { key: 'only' });
      await claim(engine, { token: 't1' });

      const again = await engine.attempts.claim({ node: 'n1', token: 't1' });

      expect(again.claims.map(({ key }) => key)).toEqual(['only']);
      expect(Object.keys(again.queues)).toEqual(['q']);
    });

    it('that found nothing may find something when it is repeated', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      expect(await claim(engine, { token: 't1' })).toEqual([]);
      await submitOne(engine, 'q', { key: 'k' });

      expect(await claimKeys(engine, { token: 't1' })).toEqual(['k']);
    });

    it('may wait as well', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const waits = claimKeys(engine, { ...WAIT, token: 't1' });
      await letCallsArrive(engine);

      await submitOne(engine, 'q', { key: 'k' });

      expect(await waits).toEqual(['k']);
      expect(await claimKeys(engine, { token: 't1' })).toEqual(['k']);
    });
  });
}
