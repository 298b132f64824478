/** Two hundred nodes come back after an outage without a storm. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type ProgramProcess, startNodes } from '../end-to-end/support/program-process.ts';
import { startMongod } from '../support/databases/mongo.ts';
import { startPostgres } from '../support/databases/postgres-server.ts';
import { eventually } from '../support/eventually.ts';

const PROCESSES = 4;
const NODES_EACH = 50;
const STEADY_MS = 30_000;
const OUTAGE_MS = 10_000;
const AFTER_MS = 60_000;

interface Database {
  readonly url: string;
  /** Queries since the server started. */
  countQueries(): Promise<number>;
  /** Nodes that have a heartbeat from the last half minute. */
  countLive(): Promise<number>;
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function openPostgres(): Promise<Database> {
  const server = await startPostgres(['max_connections=2000']);
  const ask = async (sql: string): Promise<number> => {
    const client = new pg.Client(server.url);
    await client.connect();
    try {
      return Number((await client.query(sql)).rows[0].count);
    } finally {
      await client.end();
    }
  };
  return {
    ...server,
    countQueries: () =>
      ask('select sum(xact_commit + xact_rollback) as count from pg_stat_database'),
    countLive: () =>
      ask('select count(*) from batchyard.nodes where active and expires_at > batchyard.now_ms()'),
  };
}

async function openMongo(): Promise<Database> {
  const server = await startMongod('standalone');
  const ask = async <Answer>(read: (client: MongoClient) => Promise<Answer>): Promise<Answer> => {
    await using client = await new MongoClient(server.url).connect();
    return read(client);
  };
  return {
    ...server,
    url: server.url.replace('/?', '/yard?'),
    countQueries: () =>
      ask(async (client) => {
        const { opcounters } = await client.db('admin').command({ serverStatus: 1 });
        return opcounters.query + opcounters.update + opcounters.insert + opcounters.command;
      }),
    countLive: () =>
      ask((client) =>
        client
          .db('yard')
          .collection('nodes')
          .countDocuments({
            'batchyard.expiresAt': { $gt: new Date() },
          }),
      ),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.each([
  ['PostgreSQL', openPostgres],
  ['MongoDB', openMongo],
])('200 nodes after an outage of %s', (_, open) => {
  it('are all back, with at most twice the usual queries in the first minute', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'batchyard-reconnects-'));
    const database = await open();
    const processes: ProgramProcess[] = [];
    try {
      for (let number = 0; number < PROCESSES; number++) {
        const options = { store: database.url, queue: 'idle', slots: 1, cwd: folder };
        processes.push(startNodes({ ...options, count: NODES_EACH, effects: join(folder, 'log') }));
      }
      await Promise.all(processes.map((one) => one.seen(/ready/, 120_000)));
      const from = await database.countQueries();
      await pause(STEADY_MS);
      const steady = ((await database.countQueries()) - from) / STEADY_MS;

      await database.crash();
      await pause(OUTAGE_MS);
      await database.start();
      const begun = await database.countQueries();
      await pause(AFTER_MS);
      const after = ((await database.countQueries()) - begun) / AFTER_MS;

      await eventually('all are live', async () => (await database.countLive()) === 200, 30_000);
      process.stdout.write(`\n${steady * 1000} queries/s usual, ${after * 1000} after\n`);
      expect(after).toBeLessThanOrEqual(2 * steady);
    } finally {
      await Promise.all(processes.map((one) => one.kill('SIGKILL')));
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 400_000);
});
