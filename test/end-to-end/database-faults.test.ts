/** What happens to the database happens to many: nothing acknowledged is lost, nothing ends twice, work goes on by itself. */
import { describe, it } from 'vitest';
import { startMongod, startReplicaSet } from '../support/databases/mongo.ts';
import { startPostgres } from '../support/databases/postgres-server.ts';
import { startLoad } from './support/load.ts';
import { audit } from './support/load-audit.ts';
import { openLossyProxy } from './support/lossy-proxy.ts';

interface Database {
  readonly url: string;
  crash(): Promise<void>;
  /** Stops it in its tracks for a while; nothing is closed. */
  pause(ms: number): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const WITHIN_MS = 10_000;

async function openPostgres(): Promise<Database> {
  return startPostgres([]);
}

async function openMongo(): Promise<Database> {
  const server = await startMongod('standalone');
  return { ...server, url: server.url.replace('/?', '/yard?') };
}

/** What crashes is the primary. */
async function openReplicaSet(): Promise<Database> {
  const set = await startReplicaSet(3);
  return { ...set, url: set.url.replace('/?', '/yard?') };
}

describe.each([
  ['PostgreSQL', openPostgres],
  ['MongoDB, standalone', openMongo],
  ['the primary of three MongoDB members', openReplicaSet],
])('kill -9 of %s under load', (_, open) => {
  it('loses no acknowledged task, and claims go on within 10 s of its return', async () => {
    const database = await open();
    try {
      await using load = await startLoad({ store: database.url });
      await load.untilRun(100);

      await database.crash();
      await database.start();
      await load.untilRun(20, WITHIN_MS);

      await load.untilRun(100);
      await audit(load);
    } finally {
      await database.stop();
    }
  }, 180_000);
});

const SINGLE = [
  ['PostgreSQL', openPostgres],
  ['MongoDB, standalone', openMongo],
] as const;

describe.each(SINGLE)('%s that takes requests and whose replies are lost', (_, open) => {
  it('does each of them once, and work goes on', async () => {
    const database = await open();
    const { hostname: host, port } = new URL(database.url);
    try {
      await using proxy = await openLossyProxy({ host, port: Number(port) });
      const store = database.url.replace(`:${port}`, `:${proxy.port}`);
      await using load = await startLoad({ store });
      for (let times = 0; times < 3; times++) {
        await load.untilRun(50);
        await proxy.loseReplies(400);
      }

      await load.untilRun(50);
      await audit(load);
    } finally {
      await database.stop();
    }
  }, 180_000);
});

/** Twenty seconds in `npm run faults`. */
const PAUSE_MS = Number(process.env.BATCHYARD_PAUSE_MS ?? 5000);

describe.each(SINGLE)(`%s that stands still for ${PAUSE_MS / 1000} s`, (_, open) => {
  it('goes on where it was, and so does the work', async () => {
    const database = await open();
    try {
      await using load = await startLoad({ store: database.url });
      await load.untilRun(100);

      await database.pause(PAUSE_MS);

      await load.untilRun(100, WITHIN_MS);
      await audit(load);
    } finally {
      await database.stop();
    }
  }, 180_000);
});
