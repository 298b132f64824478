import { describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/client/connect-engine.ts';
import { bytes } from '../support/builders.ts';
import { openApi } from './api-fixture.ts';
import { aQuickClock } from './quick-clock.ts';

describe('what goes over the wire', () => {
  const NAMES = [
    'a/b',
    '..',
    '.',
    '~',
    '~x',
    '%2F',
    'ü €',
    '?',
    '#',
    ' ',
    'q&a=b',
    '__proto__',
    '\\',
    "'",
  ];

  it.each(NAMES)('the name %j arrives as it is', async (name) => {
    await using api = await openApi();
    const { remote } = api;

    await remote.in(name).queues.create(name);
    await remote.in(name).tasks.submit(name, [{ key: name }]);

    expect((await remote.in(name).queues.get(name)).name).toBe(name);
    expect((await remote.in(name).tasks.findByKey(name, name))?.key).toBe(name);
    const { claims, queues } = await remote.in(name).attempts.claim({ node: name });
    expect(claims[0]?.queue).toBe(name);
    expect(Object.entries(queues).map(([key, queue]) => [key, queue.name])).toEqual([[name, name]]);
    expect((await remote.namespaces.list()).map((one) => one.name)).toContain(name);
  });

  it('reaches the namespace without a name', async () => {
    await using api = await openApi();

    await api.remote.in('').queues.create('q');

    expect((await api.engine.in('').queues.get('q')).namespace).toBe('');
    expect(await api.engine.queues.find('q')).toBeNull();
  });

  it('dates, bytes, big numbers and empty things come back as they were', async () => {
    await using api = await openApi();
    const { remote } = api;
    await remote.queues.create('q', { data: { $bytes: 'not ours' }, maxRunning: 0 });
    const notBefore = new Date('2040-02-29T23:59:59.999Z');
    const params = {
      '': null,
      n: [1e21, 2 ** 64, -0.5, Number.MAX_SAFE_INTEGER],
      t: '\u0000\ud83d\ude00',
    };
    const key = bytes(0xff, 0x00, 0x80);

    const [task] = await remote.tasks.submit('q', [{ key, params, notBefore, labels: { a: '' } }]);

    const found = await remote.tasks.get(task?.id ?? '');
    expect(found).toEqual(await api.engine.tasks.get(task?.id ?? ''));
    expect(found).toMatchObject({ params, notBefore, labels: { a: '' } });
    expect(found.key).toEqual(key);
    expect(found.createdAt).toBeInstanceOf(Date);
    expect((await remote.tasks.findByKey('q', key))?.id).toBe(task?.id);
    expect(await remote.queues.get('q')).toEqual(await api.engine.queues.get('q'));
  });

  it('output comes back byte by byte', async () => {
    await using api = await openApi();
    const { remote } = api;
    await remote.queues.create('q');
    await remote.tasks.submit('q', [{}]);
    const { claims } = await remote.attempts.claim({ node: 'n' });
    const { taskId, fence } = claims[0] ?? { taskId: '', fence: 0 };
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);

    await remote.outputs.append(taskId, fence, [
      { number: 1, stream: 'stderr', offset: 0, bytes: all },
      { number: 2, stream: 'stdout', offset: 0, bytes: new Uint8Array(0) },
    ]);

    const page = await remote.outputs.read(taskId, { fence, after: 0 });
    expect(page.chunks.map((chunk) => [...chunk.bytes])).toEqual([[...all], []]);
    expect((await remote.outputs.tail(taskId)).chunks).toHaveLength(2);
  });

  it('what is not there is null where it is looked for, and an error where it is needed', async () => {
    await using api = await openApi();
    const { remote } = api;

    expect(await remote.queues.find('q')).toBeNull();
    expect(await remote.tasks.find('0'.repeat(24))).toBeNull();
    expect(await remote.nodes.find('n')).toBeNull();
    await expect(remote.queues.get('q')).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    await expect(remote.tasks.findByKey('q', 'k')).rejects.toMatchObject({
      code: 'QUEUE_NOT_FOUND',
    });
  });

  it('refuses before sending what the server would refuse', async () => {
    const { clock } = aQuickClock();
    let asked = 0;
    const fetch = async () => {
      asked += 1;
      return new Response('{}');
    };
    const engine = connectEngine({ url: 'http://x', fetch, clock });

    const calls = [
      engine.queues.create('q', { maxRuning: 1 } as never),
      engine.queues.list({ limit: 5000 }),
      engine.tasks.submit('q', [{ notBefore: new Date('never') }]),
      engine.queues.get('\ud800'),
      engine.tasks.findByKey('q', '\ud800'),
    ];

    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(asked).toBe(0);
  });
});
