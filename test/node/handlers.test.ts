import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SettleRequest } from '../../src/core/index.ts';
import { FinalError } from '../../src/node/final-error.ts';
import type { Handler, TaskContext } from '../../src/node/handler.ts';
import { result } from '../../src/node/task-result.ts';
import { type FakeYard, openFakeYard, outcomesOf, stateOf } from './yard.ts';

/** Runs one task on one handler until it has come to rest. */
async function runOne(yard: FakeYard, handler: Handler, params: unknown = {}): Promise<string> {
  await yard.engine.queues.create('work', { maxAttempts: 3, nextQueue: 'next' });
  await yard.engine.queues.create('next', { paused: true });
  await yard.startNode({ handlers: { work: handler } });
  const id = await yard.submit('work', { params: params as never });
  await yard.clock.settle();
  return id;
}

describe('what a handler returns', () => {
  it.each([
    ['an object', { a: 1 }, { a: 1 }],
    ['a list', [1, 2], [1, 2]],
    ['false', false, false],
    ['nothing', undefined, null],
    ['an object that looks like a result', { output: 1, emit: [] }, { output: 1, emit: [] }],
  ])('is the result: %s', async (_, returned, kept) => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, async () => returned);

    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'succeeded', result: kept });
  });

  it('may be something that can be awaited without being a promise', async () => {
    await using yard = await openFakeYard();
    const query = {
      // biome-ignore lint/suspicious/noThenProperty: query builders look like this
      then(resolve: (rows: number[]) => void) {
        resolve([1, 2]);
      },
    };

    const id = await runOne(yard, () => query as never);

    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'succeeded', result: [1, 2] });
  });

  it('may be more than the output: tasks to add, in the same step', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, (_: unknown, context: TaskContext) => {
      context.emit({ params: 'first' });
      return result({ output: 'done', emit: [{ queue: 'next', params: 'second' }] });
    });

    const { items } = await yard.engine.tasks.list({ queues: ['next'] }, { direction: 'asc' });
    expect(items.map(({ params }) => params)).toEqual(['first', 'second']);
    expect((await yard.engine.tasks.get(id)).result).toBe('done');
  });

  it('may be the wish to run again, with new params', async () => {
    await using yard = await openFakeYard();
    const rounds: unknown[] = [];

    const id = await runOne(
      yard,
      (params: { page: number }, { round, attempt }: TaskContext) => {
        rounds.push([params.page, round, attempt]);
        if (params.page === 3) return { pages: 3 };
        return result({ again: { params: { page: params.page + 1 } } });
      },
      { page: 1 },
    );

    expect(rounds).toEqual([
      [1, 0, 1],
      [2, 1, 1],
      [3, 2, 1],
    ]);
    expect(await outcomesOf(yard.engine, id)).toEqual(['continued', 'continued', 'succeeded']);
  });

  it('does not take away what it reported before', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, (_: unknown, context: TaskContext) => {
      context.progress({ rows: 7 });
    });

    expect(await yard.engine.tasks.get(id)).toMatchObject({
      state: 'succeeded',
      result: { rows: 7 },
    });
  });

  it('fails only its own task when it cannot be kept', async () => {
    await using yard = await openFakeYard();
    await yard.engine.queues.create('work');
    const returns: Record<string, unknown> = {
      good: { fine: true },
      function: () => 1,
      bigint: 1n,
      huge: 'x'.repeat(3_000_000),
    };
    const circle: Record<string, unknown> = {};
    returns.circle = circle;
    circle.self = circle;
    const ids: Record<string, string> = {};
    for (const name of Object.keys(returns))
      ids[name] = await yard.submit('work', { params: name });

    await yard.startNode({
      slots: 10,
      handlers: { work: (name: string) => returns[name] as never },
    });
    await yard.clock.settle();

    expect(await stateOf(yard.engine, ids.good as string)).toBe('succeeded');
    for (const name of ['function', 'bigint', 'huge', 'circle']) {
      const task = await yard.engine.tasks.get(ids[name] as string);
      expect({ name, state: task.state }).toEqual({ name, state: 'failed' });
      expect(task.error).not.toBe('');
    }
  });
});

describe('what a handler throws', () => {
  it('fails the attempt with its message; the stack is in the output', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, () => {
      throw new TypeError('no such thing');
    });

    const [attempt] = await yard.engine.attempts.list(id);
    expect(attempt).toMatchObject({ outcome: 'failed', error: 'no such thing' });
    expect((await yard.outputOf(id, 'stderr')).toString()).toMatch(
      /^TypeError: no such thing\n {4}at .*handlers\.test\.ts/,
    );
    expect(await stateOf(yard.engine, id)).toBe('delayed');
  });

  it.each([
    ['a FinalError', () => new FinalError('never')],
    ['an error that says so', () => Object.assign(new Error('never'), { final: true })],
  ])('means no other try if it is %s', async (_, make) => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, async () => {
      throw make();
    });

    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'failed', error: 'never' });
  });

  it.each([
    ['text', 'just text', 'just text'],
    ['nothing', undefined, 'undefined'],
    ['an empty error', new Error(''), 'The handler threw an error without a message.'],
    ['what is no text', Object.create(null), 'Something was thrown that cannot be shown.'],
  ])('may be anything: %s', async (_, thrown, error) => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, () => Promise.reject(thrown));

    expect((await yard.engine.attempts.list(id))[0]).toMatchObject({ outcome: 'failed', error });
  });

  it('adds no tasks', async () => {
    await using yard = await openFakeYard();

    await runOne(yard, (_: unknown, context: TaskContext) => {
      context.emit({ params: 1 });
      throw new Error('after all');
    });

    expect((await yard.engine.queues.countsOf('next')).queued).toBe(0);
  });
});

describe('schemas', () => {
  const input = z.object({ user: z.object({ age: z.coerce.number().int() }) });

  it('hand the handler what they made of the params', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(
      yard,
      { input, run: ({ user }) => user.age + 1 },
      { user: { age: '41' } },
    );

    expect(await yard.engine.tasks.get(id)).toMatchObject({ state: 'succeeded', result: 42 });
  });

  it('fail a task with wrong params at once, for good, and say where', async () => {
    await using yard = await openFakeYard();
    let runs = 0;

    const id = await runOne(yard, { input, run: () => ++runs }, { user: { age: 'old' } });

    const task = await yard.engine.tasks.get(id);
    expect(task).toMatchObject({ state: 'failed', tryCount: 1 });
    expect(task.error).toMatch(/^params\.user\.age: /);
    expect(runs).toBe(0);
  });

  it('fail an attempt with a wrong output', async () => {
    await using yard = await openFakeYard();
    const output = z.object({ rows: z.array(z.number()) });

    const id = await runOne(yard, { output, run: () => ({ rows: [1, 'two'] }) });

    const [attempt] = await yard.engine.attempts.list(id);
    expect(attempt?.outcome).toBe('failed');
    expect(attempt?.error).toMatch(/^output\.rows\[1\]: /);
  });

  it('that break fail the task instead of the node', async () => {
    await using yard = await openFakeYard();
    const broken = z.any().transform(() => {
      throw new Error('inside the schema');
    });

    const id = await runOne(yard, { input: broken as never, run: () => null });

    expect((await yard.engine.tasks.get(id)).error).toContain('inside the schema');
  });
});

describe('what a handler writes', () => {
  it('is kept in order, by stream', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, async (_: unknown, context: TaskContext) => {
      await context.write('one\n');
      await context.write('two\n', 'stderr');
      await context.write(Uint8Array.of(0, 255, 10));
    });

    const { chunks } = await yard.engine.outputs.read(id);
    expect(chunks.map(({ number, stream, bytes }) => [number, stream, [...bytes]])).toEqual([
      [1, 'stdout', [...Buffer.from('one\n')]],
      [2, 'stderr', [...Buffer.from('two\n')]],
      [3, 'stdout', [0, 255, 10]],
    ]);
    expect(await stateOf(yard.engine, id)).toBe('succeeded');
  });

  it('may be anything', async () => {
    await using yard = await openFakeYard();

    const id = await runOne(yard, (_: unknown, context: TaskContext) => {
      for (const data of [1, null, { a: 1 }]) void context.write(data as never);
    });

    expect((await yard.outputOf(id)).toString()).toBe('1null[object Object]');
  });

  it('is there before the end is', async () => {
    await using yard = await openFakeYard();
    await runOne(yard, (_: unknown, context: TaskContext) => void context.write('last words'));

    const methods = yard.line.calls.map(({ method }) => method);
    expect(methods.indexOf('outputs.append')).toBeLessThan(methods.indexOf('attempts.settle'));
    const [settle] = yard.line.callsOf('attempts.settle');
    expect(settle?.args[0] as SettleRequest[]).toHaveLength(1);
  });
});
