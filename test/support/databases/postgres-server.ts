import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { installDebianPackage } from '../../../scripts/debian-package.ts';
import { stopFor } from './stopped-process.ts';

export interface PostgresServer {
  readonly url: string;
  /** Kills it with all its processes, as a power cut would. */
  crash(): Promise<void>;
  /** Stops it in its tracks, with all its processes, for a while; nothing is closed. */
  pause(ms: number): Promise<void>;
  /** Starts it again after a crash. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const ADVICE = 'Install the package postgresql, or name a server in BATCHYARD_TEST_POSTGRES.';

/** Nothing here must outlive a crash of the machine, so the disk is not waited for. */
const QUICK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const USUAL = ['max_connections=300', 'shared_buffers=128MB', 'max_wal_size=2GB'];

/** Starts a PostgreSQL of this machine on a free port, with a database of its own that is thrown away. */
export async function startPostgres(
  settings: readonly string[] = QUICK,
  place = tmpdir(),
): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(place, 'batchyard-postgres-'));
  const owner = ownerOf(folder);
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    [
      '--pgdata',
      data,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ],
    { ...owner, stdio: 'ignore' },
  );
  const port = await findFreePort();
  const all = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...[...all, ...USUAL, ...settings].flatMap((setting) => ['-c', setting])],
      { ...owner, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await untilReady(child, url);
  }

  async function end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  await start();
  return {
    url,
    start,
    crash: () => end('SIGKILL'),
    pause: (ms) => stopFor(child.pid ?? 0, ms),
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findPrograms(): string {
  const found = installed();
  if (found) return found;
  installDebianPackage('postgresql', ADVICE);
  const now = installed();
  if (now) return now;
  throw new Error(`There is no PostgreSQL after its installation. ${ADVICE}`);
}

function installed(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  const folder = newest ? join(root, newest, 'bin') : '';
  return existsSync(join(folder, 'initdb')) ? folder : null;
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function ownerOf(folder: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  chownSync(folder, uid, gid);
  return { uid, gid, cwd: folder };
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

export async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const log: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text) => log.push(text));
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) break;
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  child.kill('SIGQUIT');
  throw new Error(`PostgreSQL did not start:\n${log.join('')}`);
}
