import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/api/contract/endpoints.ts';
import { openApi } from './api-fixture.ts';
import { setScene, toRequest } from './samples.ts';

const OWN_HOSTS = [
  'localhost',
  'localhost:7700',
  'LOCALHOST:7700',
  '127.0.0.1',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:7700',
  'yard.test',
  'yard.test:8443',
];

const FOREIGN_HOSTS = [
  'evil.test',
  'localhost.evil.test',
  'evil.test:7700',
  '127.0.0.1.evil.test',
  'localhost@evil.test',
  'evil.test#localhost',
  'xlocalhost',
  '127.0.0.2',
  '0.0.0.0',
  '[::]',
  '::1',
  'yard.test.evil.test',
];

const FOREIGN_HEADERS: Record<string, string>[] = [
  { origin: 'http://evil.test' },
  { origin: 'https://evil.test:7700' },
  { origin: 'http://localhost:3000', host: 'localhost:7700' },
  { origin: 'http://localhost.evil.test', host: 'localhost' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'not an origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-site': 'something new' },
];

const OWN_HEADERS: Record<string, string>[] = [
  { origin: 'http://localhost:7700', host: 'localhost:7700', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://yard.test', host: 'yard.test' },
  { 'sec-fetch-site': 'none' },
];

describe('without login', () => {
  it.each(OWN_HOSTS)('goes by the name %s', async (host) => {
    await using api = await openApi();

    const response = await api.ask({ method: 'GET', url: '/api/v1/health', headers: { host } });

    expect(response.statusCode).toBe(200);
  });

  it.each(FOREIGN_HOSTS)('does not go by the name "%s"', async (host) => {
    await using api = await openApi();

    for (const url of ['/api/v1/health', '/', '/api/v1/docs', '/healthz', '/nothing-here']) {
      const response = await api.ask({ method: 'GET', url, headers: { host } });
      expect([url, response.statusCode, response.json().error.code]).toEqual([
        url,
        403,
        'FOREIGN_ORIGIN',
      ]);
    }
  });

  it.each(FOREIGN_HEADERS)('refuses a page of another site: %j', async (headers) => {
    await using api = await openApi();
    const scene = await setScene(api.engine);

    const answers = new Set<string>();
    for (const endpoint of ENDPOINTS) {
      const response = await api.ask(toRequest(endpoint, scene, headers));
      answers.add(`${response.statusCode} ${response.json().error.code}`);
    }

    expect([...answers]).toEqual(['403 FOREIGN_ORIGIN']);
  });

  it.each(OWN_HEADERS)('serves its own pages: %j', async (headers) => {
    await using api = await openApi();
    const scene = await setScene(api.engine);

    for (const endpoint of ENDPOINTS.filter(({ repeat }) => repeat === 'read')) {
      const response = await api.ask(toRequest(endpoint, scene, headers));
      expect([endpoint.name, response.statusCode]).toEqual([endpoint.name, endpoint.status]);
    }
  });

  it('lets a link from another site lead to its pages', async () => {
    await using api = await openApi();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

    const response = await api.ask({ method: 'GET', url: '/', headers });

    expect(response.statusCode).toBe(302);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'takes no mutation as "%s", which a form could send',
    async (type) => {
      await using api = await openApi();
      const scene = await setScene(api.engine);
      const sent = ENDPOINTS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

      for (const endpoint of sent) {
        const { headers: _, ...request } = toRequest(endpoint, scene);
        const response = await api.ask({
          ...request,
          ...(type && { headers: { 'content-type': type } }),
        });
        expect([endpoint.name, response.statusCode, response.json().error]).toEqual([
          endpoint.name,
          415,
          expect.objectContaining({
            code: 'INVALID_REQUEST',
            details: expect.objectContaining({
              field: 'content-type',
              remedy: 'Send application/json',
            }),
          }),
        ]);
      }
    },
  );

  it('answers no preflight', async () => {
    await using api = await openApi();

    const response = await api.ask({
      method: 'OPTIONS',
      url: '/api/v1/namespaces/default/queues',
      headers: { 'access-control-request-method': 'POST' },
    });

    expect(response.statusCode).toBe(404);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});
