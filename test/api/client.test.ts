import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/client/connect-engine.ts';
import { BatchError, ERRORS, type ErrorCode, systemClock } from '../../src/core/index.ts';
import { openApi } from './api-fixture.ts';
import { injectFetch } from './inject-fetch.ts';
import { aQuickClock } from './quick-clock.ts';

type Fetch = typeof fetch;

function answering(status: number, body: unknown, headers: Record<string, string> = {}): Fetch {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return async () => new Response(text, { status, headers });
}

describe('the client', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('throws %s as it was thrown', async (code) => {
    const details = { field: 'f', problem: 'p', remedy: 'r', queue: 'q', task: 't' };
    const thrown = new BatchError(code, details);
    const body = { error: { code, message: thrown.message, details } };
    const { clock } = aQuickClock();
    const engine = connectEngine({ url: 'http://x', fetch: answering(409, body), clock });

    const error = await engine.queues.get('q').catch((caught: unknown) => caught);

    expect(error).toBeInstanceOf(BatchError);
    expect(error).toMatchObject({ code, details, message: thrown.message, kind: thrown.kind });
  });

  it('says that nothing answers and what to do, after a few tries with growing pauses', async () => {
    const { clock, slept } = aQuickClock();
    let tries = 0;
    const refusing: Fetch = async () => {
      tries += 1;
      throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
    };
    const engine = connectEngine({ url: 'http://localhost:7700/', fetch: refusing, clock });

    await expect(engine.queues.create('q')).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      details: { url: 'http://localhost:7700' },
      message: expect.stringContaining('batchyard up'),
    });

    expect([tries, slept.length]).toEqual([4, 3]);
    for (const ms of slept) expect(ms).toBeLessThanOrEqual(2000);
  });

  it.each([
    ['a page of something else', answering(404, '<html>nothing here</html>')],
    ['a page that is fine', answering(200, '<html>hello</html>')],
  ])('says that what answers is not Batchyard: %s', async (_, fetch) => {
    const engine = connectEngine({ url: 'http://x', fetch, clock: aQuickClock().clock });

    await expect(engine.health()).rejects.toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message: expect.stringContaining('not Batchyard'),
    });
  });

  it.each(['', 'localhost', 'ftp://x', 'http://', 'http://user:secret@host/'])(
    'refuses the address "%s"',
    (url) => {
      const thrown = (): unknown => {
        try {
          return connectEngine({ url });
        } catch (error) {
          return error;
        }
      };

      expect(thrown()).toMatchObject({ code: 'INVALID_REQUEST', details: { field: 'url' } });
      expect(String(thrown())).not.toContain('secret');
    },
  );

  it('finds the server below a path', async () => {
    const asked: string[] = [];
    const engine = connectEngine({
      url: 'https://x.test/yard/',
      fetch: async (input) => {
        asked.push(String(input));
        return new Response('{"counts":[]}');
      },
    });

    await engine.queues.counts();

    expect(asked).toEqual(['https://x.test/yard/api/v1/namespaces/default/counts']);
  });

  it('tries again when the server is about to stop or its store is away', async () => {
    await using api = await openApi();
    const { clock, slept } = aQuickClock();
    const through = injectFetch(api.app);
    const away = ['SHUTTING_DOWN', 'STORE_UNAVAILABLE', null];
    const engine = connectEngine({
      url: 'http://localhost',
      clock,
      fetch: async (input, init) => {
        const code = away.shift();
        if (!code) return through(input, init);
        const body = JSON.stringify({ error: { code, message: '', details: {} } });
        return new Response(body, { status: 503, headers: { 'retry-after': '1' } });
      },
    });

    await engine.queues.create('q');

    expect(await api.engine.queues.find('q')).not.toBeNull();
    for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(500);
  });
});

describe('a long wait', () => {
  it('is made of waits that a server grants', async () => {
    const { clock } = aQuickClock();
    const waits: number[] = [];
    const fetch: Fetch = async (_, init) => {
      const { waitMs } = JSON.parse(String(init?.body));
      waits.push(waitMs);
      await clock.sleep(waitMs);
      return new Response('{"claims":[],"queues":[]}');
    };
    const engine = connectEngine({ url: 'http://x', fetch, clock });

    expect(await engine.attempts.claim({ node: 'n', waitMs: 55_000 })).toEqual({
      claims: [],
      queues: {},
    });
    expect(waits).toEqual([30_000, 25_000]);
  });

  it('ends with nothing when it is called off', async () => {
    await using api = await openApi();
    const stop = new AbortController();
    const waiting = api.remote.attempts.claim({ node: 'n', waitMs: 30_000, signal: stop.signal });
    await systemClock.turn();

    stop.abort();

    expect(await waiting).toEqual({ claims: [], queues: {} });
  });
});
