import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/core/engine/create-engine.ts';
import { systemClock } from '../../src/core/index.ts';
import type { StoreChange } from '../../src/core/store/index.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { testPostgres } from '../support/databases/postgres.ts';
import { eventually } from '../support/eventually.ts';

const postgres = testPostgres();

async function openYard() {
  const schema = await postgres.takeSchema();
  const store = await postgres.open({ schema });
  const host = createEngine({ store });
  const engine = host.handle();
  await engine.queues.create('q');
  const client = new pg.Client(postgres.url);
  await client.connect();
  return {
    schema,
    store,
    engine,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await host.close();
    },
  };
}

describe("a submission in the caller's transaction", () => {
  it('is there once that commits, and not before', async () => {
    await using yard = await openYard();
    const { engine, client } = yard;
    await client.query('begin');
    const [task] = await engine.tasks.submit('q', [{ key: 'k', params: { n: 1 } }], { tx: client });
    expect(await engine.tasks.find(task?.id ?? '')).toBeNull();

    await client.query('commit');

    expect(await engine.tasks.find(task?.id ?? '')).toMatchObject({ key: 'k', params: { n: 1 } });
    expect(await engine.queues.countsOf('q')).toMatchObject({ queued: 1 });
    const { claims } = await engine.attempts.claim({ node: 'n' });
    expect(claims).toMatchObject([{ taskId: task?.id }]);
  });

  it('never was when that is rolled back', async () => {
    await using yard = await openYard();
    const { engine, client } = yard;
    await client.query('begin');
    const [task] = await engine.tasks.submit('q', [{}], { tx: client });

    await client.query('rollback');

    expect(await engine.tasks.find(task?.id ?? '')).toBeNull();
    expect(await engine.queues.countsOf('q')).toMatchObject({ queued: 0 });
  });

  it('keeps nobody else from submitting and claiming while that lasts', async () => {
    await using yard = await openYard();
    const { engine, client } = yard;
    await client.query('begin');
    await engine.tasks.submit('q', [{}], { tx: client });

    const others = Array.from({ length: 40 }, () => engine.tasks.submit('q', [{}]));
    await Promise.all(others);
    const { claims } = await engine.attempts.claim({ node: 'n', limit: 100 });

    expect(claims).toHaveLength(40);
    await client.query('commit');
  });

  it('is told to those who wait for work when that commits', async () => {
    await using yard = await openYard();
    const { engine, client, store } = yard;
    const heard: StoreChange[] = [];
    using _listening = store.onChange((change) => heard.push(change));
    await client.query('begin');
    await engine.tasks.submit('q', [{}], { tx: client });
    expect(heard).toEqual([]);

    await client.query('commit');

    await eventually('it was heard', () => heard.length > 0);
    expect(heard).toMatchObject([{ kind: 'ready', namespace: 'default' }]);
  });

  it('leaves the settings of the connection as they were', async () => {
    await using yard = await openYard();
    const { engine, client } = yard;
    const path = async () => (await client.query('show search_path')).rows;
    const before = await path();
    await client.query('begin');
    await engine.tasks.submit('q', [{}], { tx: client });

    expect(await path()).toEqual(before);

    await client.query('rollback');
    expect(await path()).toEqual(before);
  });

  it.each([
    ['is no client', async () => ({}), /tx: it is no client of pg/],
    ['has no transaction open', async (client: pg.Client) => client, /tx: no transaction is open/],
  ])('is refused on what %s', async (_, toTx, problem) => {
    await using yard = await openYard();
    const { engine, client } = yard;

    const submitting = engine.tasks.submit('q', [{}], { tx: await toTx(client) });

    await expect(submitting).rejects.toThrow(problem);
    expect(await engine.queues.countsOf('q')).toMatchObject({ queued: 0 });
  });

  it('is refused on a store that cannot join it', async () => {
    const store = await openSqliteStore({ file: ':memory:', clock: systemClock });
    await using host = createEngine({ store });
    const engine = host.handle();
    await engine.queues.create('q');

    const submitting = engine.tasks.submit('q', [{}], { tx: {} });

    await expect(submitting).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message:
        'tx: memory cannot join a transaction of the caller. Leave it out, or keep the data in PostgreSQL',
    });
  });
});

describe('the SQL function submit', () => {
  it('adds a task in the transaction of its caller', async () => {
    await using yard = await openYard();
    const { engine, client, schema } = yard;
    const sql = `select ${schema}.submit('default', 'q', '{"n": 1}', labels => '{"a": "b"}') as id`;

    const { rows } = await client.query(sql);

    const [{ id }] = rows;
    expect(await engine.tasks.get(id)).toMatchObject({
      state: 'queued',
      params: { n: 1 },
      labels: { a: 'b' },
    });
    expect(await engine.queues.countsOf('q')).toMatchObject({ queued: 1 });
    const { claims } = await engine.attempts.claim({ node: 'n' });
    expect(claims).toMatchObject([{ taskId: id, params: { n: 1 } }]);
  });

  it('knows keys, priorities, delays, gates and the order of the queue', async () => {
    await using yard = await openYard();
    const { engine, client, schema } = yard;
    await engine.queues.create('last-in', { order: 'lifo' });
    await engine.queues.create('gated', { admission: 'gated' });
    const submit = async (args: string): Promise<string> =>
      (await client.query(`select ${schema}.submit('default', ${args}) as id`)).rows[0].id;

    const first = await submit(`'q', key => 'k'`);
    expect(await submit(`'q', key => 'k'`)).toBe(first);
    const urgent = await submit(`'q', priority => 5`);
    expect((await engine.attempts.claim({ node: 'n' })).claims[0]?.taskId).toBe(urgent);
    const delayed = await submit(`'q', delay => '1 hour'`);
    expect(await engine.tasks.get(delayed)).toMatchObject({ state: 'delayed' });
    const held = await submit(`'gated'`);
    expect(await engine.tasks.get(held)).toMatchObject({ state: 'held', hold: 'admission' });
    await submit(`'last-in'`);
    await client.query('select pg_sleep(0.002)');
    const last = await submit(`'last-in'`);
    const { claims } = await engine.attempts.claim({ node: 'n', queues: ['last-in'] });
    expect(claims).toMatchObject([{ taskId: last }]);
  });

  it('says which queue is missing, or cannot be served from here', async () => {
    await using yard = await openYard();
    const { engine, client, schema } = yard;
    const limits = [{ name: 'tenant', by: 'tenant', max: 1, perMs: null }];
    await engine.queues.create('limited', { limits });

    await expect(client.query(`select ${schema}.submit('default', 'none')`)).rejects.toThrow(
      'No queue "none" in namespace "default".',
    );
    await expect(client.query(`select ${schema}.submit('default', 'limited')`)).rejects.toThrow(
      'Submit through the engine',
    );
  });
});
