import { Readable } from 'node:stream';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { StreamSummary } from '../../src/api/contract/task-stream.ts';
import { submitStream, type TaskStream } from '../../src/api/server/task-stream.ts';
import { type Engine, systemClock } from '../../src/core/index.ts';
import { type ApiFixture, openApi } from './api-fixture.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const URL = '/api/v1/namespaces/default/queues/mail/tasks';

async function openWithQueue(): Promise<ApiFixture> {
  const api = await openApi();
  await api.engine.queues.create('mail');
  return api;
}

function upload(
  { ask }: ApiFixture,
  body: string | Readable,
  { query = '', key }: { query?: string; key?: string } = {},
): Promise<LightMyRequestResponse> {
  const headers = { ...NDJSON, ...(key && { 'idempotency-key': key }) };
  return ask({ method: 'POST', url: `${URL}${query}`, headers, payload: body });
}

function summaryOf({ body }: LightMyRequestResponse): StreamSummary {
  return JSON.parse(body.trimEnd().split('\n').at(-1) ?? '');
}

async function countTasks({ engine }: { engine: Engine }): Promise<number> {
  const counts = await engine.queues.countsOf('mail');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Pieces whose bounds have nothing to do with the lines'. */
function inPieces(text: string, size: number): Readable {
  const bytes = Buffer.from(text);
  return Readable.from(
    (function* () {
      for (let start = 0; start < bytes.length; start += size) {
        yield bytes.subarray(start, start + size);
      }
    })(),
  );
}

function toStream({ engine }: ApiFixture): Omit<TaskStream, 'body'> {
  const { signal } = new AbortController();
  return { engine, queue: 'mail', onConflict: 'refuse', clock: systemClock, signal };
}

describe('tasks as NDJSON', () => {
  it('takes 20,000 lines in and reports each bad one with its line', async () => {
    await using api = await openWithQueue();
    const bad: Record<number, string> = {
      7: '{"priority": "high"}',
      1500: 'not JSON',
      1501: '{"__proto__": 1}',
      9999: '{"prioritty": 1}',
      12345: '[]',
      20000: '{"delayMs": -5}',
    };
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => bad[index + 1] ?? `{"params":${index}}`,
    );

    const response = await upload(api, inPieces(lines.join('\n'), 1777));

    const summary = summaryOf(response);
    expect(response.statusCode).toBe(200);
    expect(summary).toMatchObject({
      done: true,
      lines: 20_000,
      submitted: 20_000 - 6,
      skipped: 0,
      replaced: 0,
      failed: 6,
    });
    expect(summary.errors.map(({ line, code }) => [line, code])).toEqual(
      Object.keys(bad).map((line) => [Number(line), 'INVALID_REQUEST']),
    );
    expect(summary.errors[3]?.message).toContain('Did you mean "priority"?');
    expect(await countTasks(api)).toBe(20_000 - 6);
  });

  it('keeps the order of the lines', async () => {
    await using api = await openWithQueue();
    const lines = Array.from({ length: 2500 }, (_, index) => `{"params":${index}}\n`);

    await upload(api, inPieces(lines.join(''), 999));

    const { claims } = await api.engine.attempts.claim({ node: 'n', limit: 2500 });
    expect(claims.map(({ params }) => params)).toEqual(lines.map((_, index) => index));
  });

  it.each([
    ['blank lines and CRLF', '\r\n{"params":1}\r\n\r\n  \n{"params":2}\r\n', 2],
    ['a last line without an end', '{}\n{}', 2],
    ['letters cut in two', '{"params":"ä€😀"}\n'.repeat(50), 50],
    ['nothing at all', '', 0],
  ])('understands %s', async (_, text, count) => {
    await using api = await openWithQueue();

    const summary = summaryOf(await upload(api, inPieces(text, 3)));

    expect(summary).toMatchObject({ done: true, submitted: count, failed: 0 });
    expect(await countTasks(api)).toBe(count);
  });

  it('refuses a line that is not UTF-8 and goes on', async () => {
    await using api = await openWithQueue();
    const body = Buffer.concat([Buffer.from('{}\n"'), Buffer.from([0xff]), Buffer.from('"\n{}\n')]);

    const summary = summaryOf(await upload(api, Readable.from([body])));

    expect(summary).toMatchObject({ submitted: 2, failed: 1 });
    expect(summary.errors).toMatchObject([{ line: 2, code: 'INVALID_REQUEST' }]);
  });

  it('refuses a line that is too long, without holding it, and goes on', async () => {
    await using api = await openWithQueue();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const body = Readable.from([
      Buffer.from('{}\n"'),
      ...Array(20).fill(piece),
      Buffer.from('"\n{}\n'),
    ]);

    const summary = summaryOf(await upload(api, body));

    expect(summary).toMatchObject({ submitted: 2, failed: 1 });
    expect(summary.errors).toMatchObject([{ line: 2, code: 'TOO_LARGE' }]);
  });

  it('leaves out only the line that the engine refuses', async () => {
    await using api = await openWithQueue();
    const lines = Array.from({ length: 3000 }, (_, index) =>
      index === 1234 ? `{"key":"${'k'.repeat(5000)}"}` : `{"key":"k${index}"}`,
    );

    const summary = summaryOf(await upload(api, lines.join('\n')));

    expect(summary).toMatchObject({ submitted: 2999, failed: 1 });
    expect(summary.errors).toMatchObject([{ line: 1235, code: 'INVALID_REQUEST' }]);
  });

  it.each([
    ['', { submitted: 2, skipped: 0, replaced: 0, failed: 1 }],
    ['?onConflict=refuse', { submitted: 2, skipped: 0, replaced: 0, failed: 1 }],
    ['?onConflict=skip', { submitted: 2, skipped: 1, replaced: 0, failed: 0 }],
    ['?onConflict=replace', { submitted: 2, skipped: 0, replaced: 1, failed: 0 }],
  ])('with "%s" meets a key that is there already', async (query, expected) => {
    await using api = await openWithQueue();
    await api.engine.tasks.submit('mail', [{ key: 'b' }]);

    const response = await upload(api, '{"key":"a"}\n{"key":"b"}\n{"key":"c"}\n', { query });

    const summary = summaryOf(response);
    expect(summary).toMatchObject({ done: true, ...expected });
    expect(summary.errors.map(({ line, code }) => [line, code])).toEqual(
      expected.failed > 0 ? [[2, 'TASK_EXISTS']] : [],
    );
  });

  it('says that the queue is not there before it reads a line', async () => {
    await using api = await openApi();
    const response = await upload(api, '{}\n');

    expect([response.statusCode, response.json().error.code]).toEqual([404, 'QUEUE_NOT_FOUND']);
  });

  it('adds nothing twice when a whole upload is repeated under its key', async () => {
    await using api = await openWithQueue();
    const text = Array.from({ length: 2500 }, (_, i) =>
      i === 99 ? 'bad' : `{"params":${i}}`,
    ).join('\n');

    const first = summaryOf(await upload(api, inPieces(text, 4096), { key: 'load-1' }));
    const second = summaryOf(await upload(api, inPieces(text, 333), { key: 'load-1' }));

    expect(second).toEqual(first);
    expect(await countTasks(api)).toBe(2499);
  });

  it('adds nothing twice when an upload that broke off is repeated', async () => {
    await using api = await openWithQueue();
    const text = Array.from({ length: 5000 }, (_, index) => `{"params":${index}}\n`).join('');
    const half = text.slice(0, text.length / 2);
    async function* breakingOff(): AsyncGenerator<Uint8Array> {
      yield* inPieces(half, 1000);
      throw new Error('aborted');
    }
    const stream = { ...toStream(api), idempotencyKey: 'load-2' };

    const broken = (async () => {
      for await (const _ of submitStream({ ...stream, body: breakingOff() }));
    })();
    await expect(broken).rejects.toThrow('aborted');
    const kept = await countTasks(api);
    const summary = summaryOf(await upload(api, text, { key: 'load-2' }));

    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(5000);
    expect(summary).toMatchObject({ done: true, submitted: 5000 });
    expect(await countTasks(api)).toBe(5000);
  });

  it('refuses another upload under the same key', async () => {
    await using api = await openWithQueue();
    await upload(api, '{"params":1}\n', { key: 'load-3' });

    const response = await upload(api, '{"params":2}\n', { key: 'load-3' });

    expect(summaryOf(response)).toMatchObject({ done: false, error: { code: 'KEY_REUSED' } });
    expect(await countTasks(api)).toBe(1);
  });

  it('reads no further than the step it writes', async () => {
    await using api = await openWithQueue();
    let read = 0;
    let ahead = 0;
    let written = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (; read < 10_000; read += 100) yield Buffer.from('{}\n'.repeat(100));
    }
    const tasks: Engine['tasks'] = {
      ...api.engine.tasks,
      async submit(queue, submissions, options) {
        ahead = Math.max(ahead, read - written);
        await systemClock.turn();
        written += submissions.length;
        return api.engine.tasks.submit(queue, submissions, options);
      },
    };

    const engine = { ...api.engine, tasks };
    for await (const _ of submitStream({ ...toStream(api), engine, body: counted() }));

    expect(written).toBe(10_000);
    expect(ahead).toBeLessThanOrEqual(1100);
  });

  it('ends with what stopped it when the server stops', async () => {
    await using api = await openWithQueue();
    const stop = new AbortController();
    async function* stopped(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{}\n'.repeat(1500));
      stop.abort();
      yield Buffer.from('{}\n'.repeat(1500));
    }
    const lines: string[] = [];

    for await (const line of submitStream({
      ...toStream(api),
      signal: stop.signal,
      body: stopped(),
    })) {
      lines.push(line);
    }

    const summary = JSON.parse(lines.at(-1) ?? '');
    expect(summary).toMatchObject({ done: false, error: { code: 'SHUTTING_DOWN' } });
    expect(summary.submitted).toBe(1000);
    expect(await countTasks(api)).toBe(1000);
  });
});
