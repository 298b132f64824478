/** MongoDB servers of the tests' own, on free ports, with their data in memory where that is possible. */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { ADVICE, ensureMongod } from './mongod-program.ts';
import { stopFor } from './stopped-process.ts';

export interface MongoServer {
  readonly url: string;
  /** kill -9; of a replica set, of its primary. */
  crash(): Promise<void>;
  /** Stops it in its tracks for a while; nothing is closed. */
  pause(ms: number): Promise<void>;
  /** After a crash: the same server on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const FLAGS = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--wiredTigerCacheSizeGB', '0.25'];
const QUIET = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
const SET_FLAGS = ['--replSet', 'rs0', '--oplogSize', '64'];
const READY_WITHIN_MS = 30_000;

/** A server of its own: standalone, or a replica set of one member. */
export async function startMongod(
  kind: 'standalone' | 'replica-set',
  place = memoryFolder(),
): Promise<MongoServer> {
  if (kind === 'replica-set') return startReplicaSet(1);
  const member = await createMember([], place);
  try {
    await member.start();
    await untilWritable(member.url);
  } catch (error) {
    await member.stop();
    throw failure(error);
  }
  return {
    ...member,
    async start() {
      await member.start();
      await untilWritable(member.url);
    },
  };
}

export async function startReplicaSet(memberCount: number): Promise<MongoServer> {
  const members = await Promise.all(
    Array.from({ length: memberCount }, () => createMember(SET_FLAGS, memoryFolder())),
  );
  const url = `mongodb://${members.map(({ host }) => host).join(',')}/?replicaSet=rs0`;
  let crashed: Member | null = null;
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()));
  };
  try {
    await Promise.all(members.map((member) => member.start()));
    await initiate(members);
    await untilWritable(url);
  } catch (error) {
    await stop();
    throw failure(error);
  }
  return {
    url,
    stop,
    async crash() {
      const primary = await primaryOf(url);
      crashed = members.find(({ host }) => host === primary) ?? null;
      await crashed?.crash();
    },
    async pause(ms) {
      const primary = await primaryOf(url);
      await members.find(({ host }) => host === primary)?.pause(ms);
    },
    async start() {
      await crashed?.start();
      await untilWritable(url);
    },
  };
}

interface Member extends MongoServer {
  readonly host: string;
}

async function createMember(flags: readonly string[], place: string): Promise<Member> {
  const program = ensureMongod();
  const folder = mkdtempSync(join(place, 'batchyard-mongod-'));
  const port = await freePort();
  const args = ['--dbpath', folder, '--port', String(port), ...FLAGS, ...QUIET, ...flags];
  const host = `127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const crash = async () => {
    if (child) await ended(child);
    child = null;
  };
  return {
    host,
    url: `mongodb://${host}/?directConnection=true`,
    crash,
    pause: (ms) => stopFor(child?.pid ?? 0, ms),
    async start() {
      child = spawn(program, args, { stdio: 'ignore' });
    },
    async stop() {
      await crash();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function failure(cause: unknown): Error {
  return new Error(`mongod did not start. ${ADVICE}`, { cause });
}

function connect(url: string): MongoClient {
  return new MongoClient(url, { serverSelectionTimeoutMS: READY_WITHIN_MS });
}

async function initiate(members: readonly Member[]): Promise<void> {
  // All must answer before one asks them.
  await Promise.all(members.map(({ url }) => ping(url)));
  const [first] = members;
  await using client = connect(first?.url ?? '');
  const hosts = members.map(({ host }, _id) => ({ _id, host }));
  // Soon a new primary, so that tests of a crash need not wait for one.
  const settings = { electionTimeoutMillis: 2000, heartbeatIntervalMillis: 500 };
  const config = { _id: 'rs0', members: hosts, settings };
  await client.db('admin').command({ replSetInitiate: config });
}

async function ping(url: string): Promise<void> {
  await using client = connect(url);
  await client.db('admin').command({ ping: 1 });
}

async function primaryOf(url: string): Promise<string> {
  await using client = connect(url);
  return String((await client.db('admin').command({ hello: 1 })).me);
}

async function untilWritable(url: string): Promise<void> {
  await using client = connect(url);
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    if (isWritablePrimary) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it takes no writes');
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

/** Where writes wait for no disk: the tests are about what is written, not about the disk. */
function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return '/dev/shm';
  } catch {
    return tmpdir();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
