/** Eight node processes and a server on one database: each task once, and no limit exceeded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMongod } from '../support/databases/mongo.ts';
import { startPostgres } from '../support/databases/postgres-server.ts';
import { eventually } from '../support/eventually.ts';
import { apiOf } from './support/api.ts';
import { mostAtOnce, readEffects, runsByTask } from './support/effects.ts';
import { type ProgramProcess, startCli, startWorker } from './support/program-process.ts';

const TASKS = Number(process.env.BATCHYARD_NODES_TASKS ?? 10_000);
const NODES = 8;
const PER_CALL = 1000;
const LIMIT = 5;

interface Database {
  /** The address that Batchyard gets. */
  readonly store: string;
  /** What a node with its driver may need. */
  readonly nodeMb: number;
  /** How many tasks the test of the limit takes: each claim waits for the queue's lock. */
  readonly limitedCount: number;
  /** How many tasks are live in all queues, asked of the database itself. */
  countLive(): Promise<number>;
  stop(): Promise<void>;
}

async function openPostgres(): Promise<Database> {
  const server = await startPostgres();
  const client = new pg.Client(server.url);
  await client.connect();
  const sql = 'select count(*)::int as live from batchyard.tasks where state in (3, 4)';
  return {
    store: server.url,
    nodeMb: 100,
    limitedCount: 2000,
    countLive: async () => (await client.query(sql)).rows[0].live,
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

async function openMongo(kind: 'standalone' | 'replica-set'): Promise<Database> {
  const server = await startMongod(kind);
  const url = server.url.replace('/?', '/yard?');
  const client = await new MongoClient(server.url).connect();
  const tasks = client.db('yard').collection('tasks');
  return {
    store: url,
    nodeMb: 130,
    limitedCount: 300,
    countLive: () => tasks.countDocuments({ status: { $in: [-1, 0] } }),
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'batchyard-nodes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['PostgreSQL', openPostgres],
  ['MongoDB, standalone', () => openMongo('standalone')],
  ['MongoDB, replica set', () => openMongo('replica-set')],
])(`${NODES} node processes on %s`, (name, open) => {
  const processes: ProgramProcess[] = [];
  let database: Database;
  let url: string;
  beforeAll(async () => {
    database = await open();
    const server = startCli(['serve', '--store', database.store, '--listen', '127.0.0.1:0'], {
      cwd: folder,
    });
    processes.push(server);
    [, url = ''] = await server.seen(/(http:\/\/127\.0\.0\.1:\d+)/);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill('SIGKILL')));
    await database.stop();
  });

  const fileFor = (queue: string): string =>
    join(folder, `${name}-${queue}.log`.replaceAll(' ', '-'));

  async function fillQueue(queue: string, count: number, settings: object): Promise<string[]> {
    const api = apiOf(url);
    const created = await api.request('POST', '/queues', { name: queue, ...settings });
    expect(created.status).toBe(201);
    const ids: string[] = [];
    for (let from = 0; from < count; from += PER_CALL) {
      const tasks = Array.from({ length: Math.min(PER_CALL, count - from) }, (_, k) => ({
        params: { number: from + k },
      }));
      ids.push(...(await api.submit(queue, tasks, `${queue}-${from}`)));
    }
    return ids;
  }

  async function startWorkers(queue: string, workMs: number): Promise<ProgramProcess[]> {
    const { store } = database;
    const workers = Array.from({ length: NODES }, () =>
      startWorker({ store, queue, slots: 10, effects: fileFor(queue), workMs, cwd: folder }),
    );
    processes.push(...workers);
    await Promise.all(workers.map((worker) => worker.seen(/ready/)));
    return workers;
  }

  const untilDone = (queue: string, count: number): Promise<unknown> =>
    eventually(
      `all of ${queue} have succeeded`,
      async () => (await apiOf(url).counts(queue)).succeeded === count,
      120_000,
    );

  it('run every task exactly once, in bounded memory', async () => {
    const ids = await fillQueue('once', TASKS, {});
    const workers = await startWorkers('once', 0);

    await untilDone('once', TASKS);

    const runs = runsByTask(readEffects(fileFor('once')));
    expect([...runs.keys()].toSorted()).toEqual(ids.toSorted());
    expect([...runs.values()].filter((count) => count !== 1)).toEqual([]);
    expect(processes[0]?.peakMb()).toBeLessThan(150);
    expect(Math.max(...workers.map((worker) => worker.peakMb()))).toBeLessThan(database.nodeMb);
    await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  }, 180_000);

  it(`never run more than the queue's limit at once, with all claiming`, async () => {
    const count = Math.min(TASKS, database.limitedCount);
    await fillQueue('limited', count, { maxRunning: LIMIT });
    const samples: number[] = [];
    const workers = await startWorkers('limited', 2);
    let isDone = false;
    const sample = async (): Promise<void> => {
      while (!isDone) samples.push(await database.countLive());
    };

    const sampling = sample();
    await untilDone('limited', count);
    isDone = true;
    await sampling;

    expect(samples.length).toBeGreaterThan(20);
    expect(Math.max(...samples)).toBeLessThanOrEqual(LIMIT);
    expect(Math.max(...samples)).toBeGreaterThan(1);
    const effects = readEffects(fileFor('limited'));
    expect(mostAtOnce(effects)).toBeLessThanOrEqual(LIMIT);
    expect(runsByTask(effects).size).toBe(count);
    await Promise.all(workers.map((worker) => worker.kill('SIGTERM')));
  }, 180_000);
});
