import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/core/index.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { aService, openRaw, startService } from './service-fixture.ts';

const CLAIM = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ node: 'n', waitMs: 30_000 }),
};
const CLAIMS = '/api/v1/namespaces/default/claims';

/** An engine that tells of the claims it was asked for. */
function watchClaims(): { signals: AbortSignal[]; wrap(engine: Engine): Engine } {
  const signals: AbortSignal[] = [];
  return {
    signals,
    wrap: (engine) => ({
      ...engine,
      attempts: {
        ...engine.attempts,
        claim: (request) => {
          if (request.signal) signals.push(request.signal);
          return engine.attempts.claim(request);
        },
      },
    }),
  };
}

describe('the API as a service', () => {
  it('answers where it says it listens', async () => {
    await using api = await startService();

    const response = await fetch(`${api.url}/api/v1/health`);

    expect(api.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await response.json()).toMatchObject({ store: 'model', durable: false });
  });

  it('says that a port is in use, and what to do', async () => {
    await using first = await startService();
    const listen = { host: '127.0.0.1', port: Number(new URL(first.url).port) };

    await expect(startService({ listen })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: {
        field: 'listen',
        problem: `port ${listen.port} is in use`,
        remedy: 'Stop the other server or use --listen',
      },
    });
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.test'])(
    'does not listen on %s without login',
    async (host) => {
      const starting = startService({ listen: { host, port: 0 } });

      await expect(starting).rejects.toMatchObject({ details: { field: 'listen' } });
    },
  );

  it('may be stopped twice', async () => {
    await using api = await startService();

    await api.service.stop();
    await api.service.stop();

    await expect(fetch(`${api.url}/healthz`)).rejects.toThrow();
    expect(api.service.url).toBeNull();
  });

  it('may be stopped before it starts, and while it does', async () => {
    await using early = aService();
    await using meanwhile = aService();

    await early.service.stop();
    await early.service.start();
    const starting = meanwhile.service.start();
    await meanwhile.service.stop();
    await starting;

    expect([early.service.url, meanwhile.service.url]).toEqual([null, null]);
  });

  it('ends a wait for work when its caller goes away', async () => {
    const { signals, wrap } = watchClaims();
    await using api = await startService({ wrap });
    const caller = new AbortController();
    const asking = fetch(`${api.url}${CLAIMS}`, { ...CLAIM, signal: caller.signal });
    const [signal] = await eventually('the claim arrives', () => signals.length > 0 && signals);

    caller.abort();

    await expect(asking).rejects.toThrow();
    await eventually('the wait ends', () => signal?.aborted);
    await api.engine.queues.create('q');
    await api.engine.tasks.submit('q', [{}]);
    expect((await api.engine.attempts.claim({ node: 'other' })).claims).toHaveLength(1);
  });

  it('gives work that comes meanwhile to whoever waits', async () => {
    const { signals, wrap } = watchClaims();
    await using api = await startService({ wrap });
    await api.engine.queues.create('q');
    const asking = fetch(`${api.url}${CLAIMS}`, CLAIM);
    await eventually('the claim arrives', () => signals.length > 0);

    await api.engine.tasks.submit('q', [{ key: 'k' }]);

    const { claims } = (await (await asking).json()) as { claims: { key: string }[] };
    expect(claims.map(({ key }) => key)).toEqual(['k']);
  });

  it('ends waits with an answer when it stops', async () => {
    const { signals, wrap } = watchClaims();
    await using api = await startService({ wrap });
    const asking = fetch(`${api.url}${CLAIMS}`, CLAIM);
    await eventually('the claim arrives', () => signals.length > 0);

    await api.service.stop();

    const response = await asking;
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ claims: [], queues: [] });
  });

  it('finishes what it answers, and refuses what comes while it stops', async () => {
    const pass = new AbortController();
    let hasArrived = false;
    const wrap = (engine: Engine): Engine => ({
      ...engine,
      health: async () => {
        hasArrived = true;
        await once(pass.signal, 'abort');
        return engine.health();
      },
    });
    await using api = await startService({ wrap });
    const slow = fetch(`${api.url}/api/v1/health`);
    await eventually('the slow request arrives', () => hasArrived);
    using late = openRaw(api.url, 'GET /api/v1/whoami HTTP/1.1\r\nHost: localhost\r\n');
    await eventually('half a request is sent', () => late.socket.bytesWritten > 0);
    await fetch(`${api.url}/healthz`);

    const began = performance.now();
    const stopping = api.service.stop();
    late.socket.write('\r\n');
    const refused = await late.received;
    pass.abort();

    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('"code":"SHUTTING_DOWN"');
    expect(refused.toLowerCase()).toContain('retry-after: 1');
    expect((await slow).status).toBe(200);
    await stopping;
    // Nobody has to wait until connections that are done with are given up.
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('a connection that is up to no good', () => {
  it.each([
    ['no HTTP at all', 'hello there\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 403 [\s\S]*FOREIGN_ORIGIN/],
    [
      'a head of 20 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 [\s\S]*INVALID_REQUEST/,
    ],
    [
      'two lengths',
      `POST ${CLAIMS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      /^HTTP\/1\.1 400 /,
    ],
  ])('is answered and closed: %s', async (_, text, answer) => {
    await using api = await startService();
    using raw = openRaw(api.url, text);

    expect(await raw.received).toMatch(answer);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  });

  it('is closed when its body dribbles for half a minute', async () => {
    const clock = createFakeClock();
    await using api = await startService({ clock });
    const head = `POST ${CLAIMS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`;
    using raw = openRaw(api.url, head);
    let isClosed = false;
    raw.socket.once('close', () => {
      isClosed = true;
    });
    await eventually('the time is over', async () => {
      raw.socket.write(' ');
      await clock.advance(5000);
      return isClosed;
    });

    expect(raw.text()).toBe('');
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(30_000);
    expect((await fetch(`${api.url}/healthz`)).status).toBe(200);
  });
});
