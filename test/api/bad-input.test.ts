import { describe, expect, it } from 'vitest';
import { type ApiFixture, openApi } from './api-fixture.ts';
import { BAD_REQUESTS, get, MAIL_TASKS, post, QUEUES } from './bad-requests.ts';

async function everything({ engine }: ApiFixture): Promise<unknown> {
  return JSON.stringify([await engine.namespaces.counts(), await engine.queues.list()]);
}

describe('bad input', () => {
  it.each(BAD_REQUESTS)('$what is refused with what is wrong, and changes nothing', async (bad) => {
    await using api = await openApi();
    await api.engine.queues.create('mail');
    const before = await everything(api);

    const response = await api.ask(bad.request);

    const { error } = response.json();
    expect([response.statusCode, error.code]).toEqual([bad.status, bad.code ?? error.code]);
    expect(error.message.length).toBeGreaterThan(10);
    if (bad.field !== undefined) expect(error.details.field).toMatch(exactly(bad.field));
    if (response.statusCode !== 404) expect(error.details.remedy).not.toBe('');
    expect(response.body).not.toMatch(/node_modules|\.ts:\d|at async|select |insert /i);
    expect(await everything(api)).toBe(before);
    expect(api.failures).toEqual([]);
    expect((await api.ask(get('/api/v1/health'))).statusCode).toBe(200);
  });

  it('suggests the name that was meant', async () => {
    await using api = await openApi();
    await api.engine.queues.create('mail');

    const response = await api.ask(post(MAIL_TASKS, { tasks: [{ prioritty: 1 }] }));

    expect(response.json().error).toEqual({
      code: 'INVALID_REQUEST',
      message: 'tasks[0].prioritty: there is no field "prioritty". Did you mean "priority"?',
      details: {
        field: 'tasks[0].prioritty',
        problem: 'there is no field "prioritty"',
        remedy: 'Did you mean "priority"?',
      },
    });
  });

  it('leaves prototypes alone', async () => {
    await using api = await openApi();
    const before = Object.getOwnPropertyNames(Object.prototype).join();

    for (const payload of [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
    ]) {
      await api.ask(post(QUEUES, payload));
      await api.ask(get(`${QUEUES}?__proto__[polluted]=1&constructor.prototype.polluted=1`));
    }

    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('says nothing of its insides when something is wrong with them', async () => {
    await using api = await openApi();
    const broken = { ...api.host, handle: () => breakdown() };
    const { createApi } = await import('../../src/api/server/create-api.ts');
    const app = createApi({ host: broken as never, version: '1', auth: { mode: 'loopback' } });

    const response = await app.inject({ method: 'GET', url: '/api/v1/health' });

    expect(response.statusCode).toBe(500);
    expect(response.json().error.code).toBe('INTERNAL');
    expect(response.body).not.toMatch(/secret|select|\/home|stack/i);
  });
});

function breakdown(): never {
  throw new Error('secret: select * from tokens at /home/somebody/file.ts:3');
}

function exactly(field: string | RegExp): RegExp {
  return typeof field === 'string'
    ? new RegExp(`^${field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
    : field;
}
