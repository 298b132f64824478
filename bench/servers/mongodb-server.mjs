import { MongoClient } from 'mongodb';
import { tsImport } from 'tsx/esm/api';
import { createFolder, findFreePort, MissingError, startServer } from './server-process.mjs';

/** Journal and majority on a real disk; the cache is as large as PostgreSQL's. */
const SETTINGS = [
  ...['--bind_ip', '127.0.0.1', '--nounixsocket', '--quiet'],
  ...['--wiredTigerCacheSizeGB', '1', '--replSet', 'rs0', '--oplogSize', '1024'],
  ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
];

export async function openMongodbServer() {
  const own = process.env.BENCH_MONGODB;
  const server = own ? { url: own, pid: 0, stop: async () => {} } : await startMongod();
  const client = await MongoClient.connect(server.url);
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  let made = 0;
  return {
    version: `MongoDB ${version}`,
    pid: server.pid,
    async createPlace() {
      const name = `batchyard_bench_${process.pid}_${++made}`;
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      const remove = async () => void (await client.db(name).dropDatabase());
      return { place: { url: url.href }, remove };
    },
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}

async function startMongod() {
  const program = await findMongod();
  const folder = createFolder('mongodb');
  const port = await findFreePort();
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const args = ['--dbpath', folder, '--port', String(port), ...SETTINGS];
  const isReady = () => isPrimary(direct, port);
  const server = await startServer({ program, args, folder, isReady });
  return { url: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, ...server };
}

/** The server that the tests use, fetched when it is not there. */
async function findMongod() {
  const tests = '../../test/support/databases/mongod-program.ts';
  const { ensureMongod } = await tsImport(tests, import.meta.url);
  try {
    return ensureMongod();
  } catch (error) {
    // A fault of ours must not pass for a server that cannot be had.
    if (error instanceof TypeError) throw error;
    throw new MissingError(`${error.message} For the bench, name it in BENCH_MONGODB.`);
  }
}

/** Makes it a replica set of one when it is none yet. */
async function isPrimary(url, port) {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000 });
  try {
    const admin = client.db('admin');
    const { isWritablePrimary, setName } = await admin.command({ hello: 1 });
    if (!setName) {
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
      await admin.command({ replSetInitiate: { _id: 'rs0', members } });
    }
    return isWritablePrimary;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
