import { describe, expect, it } from 'vitest';
import type { Engine, Json, OnConflict, TaskSubmission } from '../../../src/core/index.ts';
import { bytes, minutes } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import {
  claim,
  claimOne,
  countsOf,
  expectRefusal,
  later,
  only,
  settle,
  stateOf,
  submitOne,
} from './scene.ts';

export function taskSubmission(subject: EngineUnderTest): void {
  describe('tasks.submit', () => {
    it('adds tasks and answers in order', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');

      const answers = await engine.tasks.submit('q', [
        { params: { n: 1 }, priority: 5, labels: { team: 'a' } },
        { key: 'second' },
      ]);

      expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
      const [first, second] = await Promise.all(answers.map(({ id }) => engine.tasks.get(id)));
      expect(first).toMatchObject({
        namespace: 'default',
        queue: 'q',
        state: 'queued',
        key: null,
        params: { n: 1 },
        priority: 5,
        labels: { team: 'a' },
        result: null,
        error: null,
        code: null,
        hold: null,
        notBefore: null,
        external: false,
        attempt: null,
        claimCount: 0,
        tryCount: 0,
        lossCount: 0,
        roundCount: 0,
        lastOutcome: null,
        createdAt: clock.now(),
        endedAt: null,
      });
      expect(second).toMatchObject({ key: 'second', priority: 0, labels: {} });
    });

    it('takes none as well as many', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');

      expect(await yard.engine.tasks.submit('q', [])).toEqual([]);
    });

    it('gives back params as they were sent, whatever JSON they are', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');
      const values: Json[] = [
        null,
        true,
        0,
        -2.5,
        'text \u0000 ü 😀',
        [],
        {},
        [1, [null, {}]],
        { '': 1, a: { b: [] }, $key: 'dollar', number: 1e300 },
      ];

      const answers = await yard.engine.tasks.submit(
        'q',
        values.map((params) => ({ params })),
      );

      const tasks = await Promise.all(answers.map(({ id }) => yard.engine.tasks.get(id)));
      expect(tasks.map(({ params }) => params)).toEqual(values);
    });

    it('refuses a queue that is not there', async () => {
      await using yard = await subject.open();

      await expectRefusal(yard.engine.tasks.submit('nope', [{}]), 'QUEUE_NOT_FOUND', {
        queue: 'nope',
      });
    });

    it('delays a task until notBefore, or by delayMs from when it is taken in', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      const then = later(clock.now(), minutes(5));

      const at = await submitOne(engine, 'q', { notBefore: then });
      const by = await submitOne(engine, 'q', { delayMs: minutes(5) });
      const past = await submitOne(engine, 'q', { notBefore: later(clock.now(), -1) });

      for (const id of [at, by]) {
        expect(await engine.tasks.get(id)).toMatchObject({ state: 'delayed', notBefore: then });
      }
      expect(await stateOf(engine, past)).toBe('queued');
      await clock.advance(minutes(5));
      expect(await countsOf(engine, 'q')).toEqual({ queued: 3 });
    });

    it('holds a task that is to be held, until it is released', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');

      const id = await submitOne(engine, 'q', { hold: true });

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'held', hold: 'operator' });
      expect(await claim(engine)).toEqual([]);
      expect(await engine.tasks.release(id)).toMatchObject({ state: 'queued', hold: null });
    });
  });

  describe('keys', () => {
    it('are any bytes: text comes back as text, other bytes as bytes', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const keys = ['plain', 'ü/😀 \u0000', '', bytes(0, 255, 128)];

      for (const key of keys) await submitOne(engine, 'q', { key });

      for (const key of keys) {
        const found = (await engine.tasks.findByKey('q', key))?.key;
        if (typeof key === 'string') expect(found).toBe(key);
        else expect(Buffer.from(found as Uint8Array)).toEqual(Buffer.from(key));
      }
      const asBytes = Buffer.from('plain');
      expect((await engine.tasks.findByKey('q', asBytes))?.key).toBe('plain');
    });

    it('of the same text in two queues do not meet', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('a');
      await yard.engine.queues.create('b');

      const a = await submitOne(yard.engine, 'a', { key: 'k' });
      const b = await submitOne(yard.engine, 'b', { key: 'k' });

      expect((await yard.engine.tasks.findByKey('a', 'k'))?.id).toBe(a);
      expect((await yard.engine.tasks.findByKey('b', 'k'))?.id).toBe(b);
    });

    it('that stand in the queue already are refused, and nothing is added', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k' });

      const again = engine.tasks.submit('q', [{ key: 'new' }, { key: 'k' }]);

      await expectRefusal(again, 'TASK_EXISTS', { queue: 'q', task: id });
      expect(await engine.tasks.findByKey('q', 'new')).toBeNull();
      expect(await countsOf(engine, 'q')).toEqual({ queued: 1 });
    });

    it('are skipped with onConflict skip: the first task stays as it is', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k', params: 1 });

      const answers = await submitWith(engine, 'skip', { key: 'k', params: 2 }, { key: 'new' });

      expect(answers[0]).toEqual({ id, outcome: 'skipped' });
      expect(answers[1]?.outcome).toBe('created');
      expect((await engine.tasks.get(id)).params).toBe(1);
    });

    it('are replaced with onConflict replace: the fields are new, a waiting task keeps its place', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k', params: 1, labels: { a: '1' } });
      await submitOne(engine, 'q', { key: 'other' });

      const answers = await submitWith(engine, 'replace', {
        key: 'k',
        params: 2,
        priority: 0,
        labels: { b: '2' },
      });

      expect(only(answers)).toEqual({ id, outcome: 'replaced' });
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'queued',
        params: 2,
        labels: { b: '2' },
      });
      expect((await claimOne(engine)).key).toBe('k');
    });

    it('replaced while the task runs leave it running', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k', params: 1 });
      const held = await claimOne(engine);

      await submitWith(engine, 'replace', { key: 'k', params: 2 });

      expect(await engine.tasks.get(id)).toMatchObject({ state: 'running', params: 2 });
      expect(await settle(engine, held, 'succeeded')).toMatchObject({ status: 'applied' });
    });

    it('replaced once the task ended make it wait again with fresh counters and its history', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const id = await submitOne(engine, 'q', { key: 'k' });
      await settle(engine, await claimOne(engine), 'failed', { final: true, error: 'no' });

      await submitWith(engine, 'replace', { key: 'k', params: 2 });

      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'queued',
        params: 2,
        result: null,
        tryCount: 0,
        lossCount: 0,
        endedAt: null,
      });
      expect(await engine.attempts.list(id)).toHaveLength(1);
    });

    it('twice in one call: the later one meets the earlier', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const twice = [
        { key: 'k', params: 1 },
        { key: 'k', params: 2 },
      ];

      await expectRefusal(engine.tasks.submit('q', twice), 'TASK_EXISTS');
      expect(await countsOf(engine, 'q')).toEqual({});
      await submitWith(engine, 'skip', ...twice);
      expect((await engine.tasks.findByKey('q', 'k'))?.params).toBe(1);
      await submitWith(engine, 'replace', ...twice);
      expect((await engine.tasks.findByKey('q', 'k'))?.params).toBe(2);
    });

    it('make one task, however many submit them at once', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');

      const answers = await Promise.all(
        Array.from({ length: 8 }, () => submitWith(yard.engine, 'skip', { key: 'k' })),
      );

      expect(answers.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(1);
    });
  });
}

function submitWith(engine: Engine, onConflict: OnConflict, ...tasks: TaskSubmission[]) {
  return engine.tasks.submit('q', tasks, { onConflict });
}
