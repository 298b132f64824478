import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/api/contract/endpoints.ts';
import { ENGINE_ROLES } from '../../src/core/index.ts';
import { openApi } from './api-fixture.ts';
import { SAMPLES, setScene, toRequest } from './samples.ts';

describe('the contract', () => {
  it('[CO-63] carries every method of the engine', () => {
    const methods = Object.entries(ENGINE_ROLES).flatMap(([group, roles]) =>
      Object.keys(roles).map((method) => `${group}.${method}`),
    );
    // `find` is `get` that answers null.
    const carried = ENDPOINTS.flatMap(({ name }) =>
      name.endsWith('.get') ? [name, name.replace('.get', '.find')] : [name],
    );

    expect(methods.filter((method) => !carried.includes(method))).toEqual([]);
    expect(carried.filter((name) => !methods.includes(name))).toEqual([
      'tasks.search',
      'whoami',
      'examine',
      'health',
    ]);
  });

  it('names each endpoint once, and the samples below are all of them', () => {
    const names = ENDPOINTS.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(SAMPLES).toSorted()).toEqual(names.toSorted());
  });
});

describe('[CO-63] every route', () => {
  it.each(ENDPOINTS)('$name does what it says', async (endpoint) => {
    await using api = await openApi();
    const scene = await setScene(api.engine);

    const response = await api.ask(toRequest(endpoint, scene));

    expect({ status: response.statusCode, failures: api.failures }).toEqual({
      status: endpoint.status,
      failures: [],
    });
    if (endpoint.answer) expect(endpoint.answer.safeParse(response.json()).error).toBeUndefined();
    else expect(response.body).toBe('');
  });

  it.each(ENDPOINTS)(
    '$name answers with security headers and without caching',
    async (endpoint) => {
      await using api = await openApi();
      const scene = await setScene(api.engine);

      const { headers } = await api.ask(toRequest(endpoint, scene));

      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none'.*frame-ancestors 'none'/,
      );
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});

describe('a repeated mutation', () => {
  const keyed = ENDPOINTS.filter(
    ({ repeat, name }) => repeat === 'keyed' && name !== 'tokens.create',
  );

  it.each(keyed)('$name under one Idempotency-Key happens once', async (endpoint) => {
    await using api = await openApi();
    const request = toRequest(endpoint, await setScene(api.engine), { 'idempotency-key': 'k-1' });

    const first = await api.ask(request);
    const after = await picture(api);
    const second = await api.ask(request);

    expect(first.statusCode).toBe(endpoint.status);
    expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
    expect(await picture(api)).toEqual(after);
  });

  it.each(ENDPOINTS.filter(({ repeat }) => repeat === 'safe'))(
    '$name is the same again by what it says',
    async (endpoint) => {
      await using api = await openApi();
      const request = toRequest(endpoint, await setScene(api.engine));

      const first = await api.ask(request);
      const after = await picture(api);
      const second = await api.ask(request);

      expect([first.statusCode, second.statusCode]).toEqual([endpoint.status, endpoint.status]);
      expect(await picture(api)).toEqual(after);
    },
  );

  it('gives the claims of the first call again', async () => {
    await using api = await openApi();
    await setScene(api.engine);
    await api.engine.tasks.submit('mail', [{}, {}, {}]);
    const claim = (key: string) =>
      api.ask({
        method: 'POST',
        url: '/api/v1/namespaces/default/claims',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        payload: { node: 'node-1', limit: 2 },
      });

    const [first, again, other] = [await claim('a'), await claim('a'), await claim('b')];

    const ids = (response: typeof first): string[] =>
      response.json().claims.map(({ taskId }: { taskId: string }) => taskId);
    expect(ids(first)).toHaveLength(2);
    expect(ids(again)).toEqual(ids(first));
    expect(ids(other).filter((id) => ids(first).includes(id))).toEqual([]);
  });

  it('refuses a key that was used for another request', async () => {
    await using api = await openApi();
    await setScene(api.engine);
    const create = (name: string) =>
      api.ask({
        method: 'POST',
        url: '/api/v1/namespaces/default/queues',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'same' },
        payload: { name },
      });

    await create('one');
    const response = await create('two');

    expect([response.statusCode, response.json().error.code]).toEqual([409, 'KEY_REUSED']);
    expect(await api.engine.queues.find('two')).toBeNull();
  });
});

/** All that a repeated call could change, without the instants of heartbeats and renewals. */
async function picture({ engine }: Awaited<ReturnType<typeof openApi>>): Promise<unknown> {
  const [namespaces, queues, tasks, nodes, tokens] = await Promise.all([
    engine.namespaces.list(),
    engine.queues.list(),
    engine.tasks.list(),
    engine.nodes.list(),
    engine.tokens.list(),
  ]);
  const attempts = await Promise.all(tasks.items.map(({ id }) => engine.attempts.list(id)));
  const text = JSON.stringify({ namespaces, queues, tasks, nodes, tokens, attempts });
  return JSON.parse(text, (name, value) =>
    /^(heartbeat|expires|updated)At$/.test(name) ? 0 : value,
  );
}
