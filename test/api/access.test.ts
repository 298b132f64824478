import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/api/contract/endpoints.ts';
import { hasRole, ROLES, type Role } from '../../src/core/index.ts';
import { type ApiFixture, openApi } from './api-fixture.ts';
import { setScene, toRequest } from './samples.ts';

/** Every shape in which somebody might come without a good token. */
async function badCredentials({ engine, token }: ApiFixture): Promise<Record<string, string>> {
  const good = await token('admin');
  const expired = await token('admin', { expiresAt: new Date(0) });
  const { secret: revoked } = await engine.tokens.create({ name: 'revoked', role: 'admin' });
  await engine.tokens.revoke('revoked');
  return {
    empty: '',
    'scheme only': 'Bearer',
    'scheme and space': 'Bearer ',
    nothing: 'Bearer nothing',
    'other scheme': `Basic ${Buffer.from(`admin:${good}`).toString('base64')}`,
    'no scheme': good,
    'scheme in the wrong place': `${good} Bearer`,
    truncated: `Bearer ${good.slice(0, -1)}`,
    'one letter more': `Bearer ${good}x`,
    'other case': `Bearer ${good.toUpperCase()}`,
    'two tokens': `Bearer ${good} ${good}`,
    'two tokens with a comma': `Bearer ${good},Bearer ${good}`,
    quoted: `Bearer "${good}"`,
    'very long': `Bearer ${'a'.repeat(5000)}`,
    'not ASCII': `Bearer ${good}\u00e9`,
    injection: "Bearer ' or 1=1 --",
    undefined: 'Bearer undefined',
    expired: `Bearer ${expired}`,
    revoked: `Bearer ${revoked}`,
  };
}

describe('a server that asks for tokens', () => {
  it.each(ENDPOINTS)('$name refuses whoever has none', async (endpoint) => {
    await using api = await openApi('tokens');
    const scene = await setScene(api.engine);

    const response = await api.ask(toRequest(endpoint, scene));

    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json().error).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each(ENDPOINTS)('$name refuses every bad credential, and none is logged', async (endpoint) => {
    await using api = await openApi('tokens');
    const scene = await setScene(api.engine);
    const credentials = await badCredentials(api);

    const answers: Record<string, number> = {};
    for (const [shape, authorization] of Object.entries(credentials)) {
      const response = await api.ask(toRequest(endpoint, scene, { authorization }));
      answers[shape] = response.statusCode;
    }

    expect(answers).toEqual(
      Object.fromEntries(Object.keys(credentials).map((shape) => [shape, 401])),
    );
    expect(api.failures).toEqual([]);
  });

  it.each(ENDPOINTS)(
    '$name is open to role $role and those above it, and to no other',
    async (endpoint) => {
      const answers: Record<string, string> = {};
      for (const role of ROLES) {
        await using api = await openApi('tokens');
        const scene = await setScene(api.engine);
        const authorization = `Bearer ${await api.token(role)}`;
        const response = await api.ask(toRequest(endpoint, scene, { authorization }));
        answers[role] =
          response.statusCode === 403 ? response.json().error.code : String(response.statusCode);
      }

      const expected = ROLES.map((role) => [
        role,
        hasRole({ name: '', role, namespaces: null }, endpoint.role)
          ? String(endpoint.status)
          : 'FORBIDDEN',
      ]);
      expect(answers).toEqual(Object.fromEntries(expected));
    },
  );

  const inNamespaces = ENDPOINTS.filter(({ path }) => path.includes(':namespace'));

  it.each(inNamespaces)('$name refuses an admin of another namespace', async (endpoint) => {
    await using api = await openApi('tokens');
    const scene = await setScene(api.engine);
    const secret = await api.token('admin', { namespaces: ['elsewhere'] });

    const response = await api.ask(
      toRequest(endpoint, scene, { authorization: `Bearer ${secret}` }),
    );

    expect([response.statusCode, response.json().error.code]).toEqual([403, 'NAMESPACE_FORBIDDEN']);
  });

  it('settles who asks, and whether he may, before it reads a body', async () => {
    await using api = await openApi('tokens');
    const authorization = `Bearer ${await api.token('viewer')}`;
    const create = (headers: Record<string, string>) =>
      api.ask({
        method: 'POST',
        url: '/api/v1/namespaces/default/queues',
        headers: { 'content-type': 'application/json', ...headers },
        payload: '{ this is not JSON',
      });

    expect((await create({})).statusCode).toBe(401);
    expect((await create({ authorization })).statusCode).toBe(403);
  });

  it('serves no description of itself without a token, and pages and probes without data', async () => {
    await using api = await openApi('tokens');
    const status = async (url: string) => (await api.ask({ method: 'GET', url })).statusCode;

    expect(await status('/api/v1/openapi.json')).toBe(401);
    expect(await status('/api/v1/docs')).toBe(200);
    expect((await api.ask({ method: 'GET', url: '/healthz' })).json()).toEqual({ status: 'ok' });
    expect((await api.ask({ method: 'GET', url: '/readyz' })).json()).toEqual({ status: 'ready' });
  });

  it('stays closed while it cannot tell who asks', async () => {
    await using api = await openApi('tokens');
    const authorization = `Bearer ${await api.token('admin')}`;
    await api.store.close();

    const response = await api.ask({
      method: 'GET',
      url: '/api/v1/whoami',
      headers: { authorization },
    });

    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.json().error.code).toBe('STORE_UNAVAILABLE');
  });

  it('takes a caller for who he is now, not for who had his name before', async () => {
    await using api = await openApi('tokens');
    const createQueue = async (role: Role, name: string): Promise<number> => {
      const { secret } = await api.engine.tokens.create({ name: 'robot', role });
      const response = await api.ask({
        method: 'POST',
        url: '/api/v1/namespaces/default/queues',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        payload: { name, program: { argv: ['/bin/true'], cwd: null, env: {} } },
      });
      await api.engine.tokens.revoke('robot');
      return response.statusCode;
    };

    expect(await createQueue('admin', 'one')).toBe(201);
    expect(await createQueue('operator', 'two')).toBe(403);
    expect(await api.engine.queues.find('two')).toBeNull();
  });

  it('says who it takes a caller for', async () => {
    await using api = await openApi('tokens');
    const secret = await api.token('worker', { name: 'robot', namespaces: ['default'] });

    const response = await api.ask({
      method: 'GET',
      url: '/api/v1/whoami',
      headers: { authorization: `Bearer ${secret}` },
    });

    expect(response.json()).toEqual({ name: 'robot', role: 'worker', namespaces: ['default'] });
  });

  it('shows an admin of one namespace its own counts and no others', async () => {
    await using api = await openApi('tokens');
    await setScene(api.engine);
    await api.engine.in('other').queues.create('secret-queue');
    const authorization = `Bearer ${await api.token('admin', { namespaces: ['other'] })}`;
    const ask = async (url: string) =>
      (await api.ask({ method: 'GET', url, headers: { authorization } })).json();

    const { counts } = await ask('/api/v1/counts');
    const { namespaces } = await ask('/api/v1/namespaces');

    expect(counts.map(({ namespace }: { namespace: string }) => namespace)).toEqual(['other']);
    expect(namespaces.map(({ name }: { name: string }) => name)).toEqual(['other']);
  });
});

describe('a server without login', () => {
  it('takes whoever reaches it for its owner', async () => {
    await using api = await openApi();

    const response = await api.ask({ method: 'GET', url: '/api/v1/whoami' });

    expect(response.json()).toEqual({ name: 'owner', role: 'admin', namespaces: null });
  });

  it('checks a token that is given all the same', async () => {
    await using api = await openApi();
    const secret = await api.token('viewer');
    const whoAmI = (token: string) =>
      api.ask({
        method: 'GET',
        url: '/api/v1/whoami',
        headers: { authorization: `Bearer ${token}` },
      });

    expect((await whoAmI(secret)).json().role).toBe('viewer');
    expect((await whoAmI('wrong')).statusCode).toBe(401);
  });
});
