import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createFolder, findFreePort, installPackage, startServer } from './server-process.mjs';

const PROGRAMS = '/usr/lib/postgresql';

/** Durable as a production server is: every commit waits for the disk. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'max_connections=200',
];

export async function openPostgresServer() {
  const own = process.env.BENCH_POSTGRES;
  const server = own ? { url: own, pid: 0, stop: async () => {} } : await startPostgres();
  const admin = new pg.Client(server.url);
  // A lost connection shows at the next query.
  admin.on('error', () => {});
  await admin.connect();
  const version = (await admin.query('show server_version')).rows[0].server_version;
  let made = 0;
  return {
    version: `PostgreSQL ${version.split(' ')[0]}`,
    pid: server.pid,
    /** A database of its own for each measurement: no table is used twice. */
    async createPlace() {
      const name = `batchyard_bench_${process.pid}_${++made}`;
      await admin.query(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return {
        place: { url: url.href },
        async remove() {
          await admin.query(`drop database ${name} with (force)`);
          // What one measurement left to write must not fall into the next.
          if (!own) await admin.query('checkpoint');
        },
      };
    },
    async stop() {
      await admin.end();
      await server.stop();
    },
  };
}

async function startPostgres() {
  const programs = findPrograms();
  const folder = createFolder('postgres');
  const options = { ...ownerOf(folder), cwd: folder };
  const data = join(folder, 'data');
  const make = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-locale'];
  execFileSync(join(programs, 'initdb'), make, { ...options, stdio: 'ignore' });
  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const program = join(programs, 'postgres');
  const isReady = () => canConnect(url);
  // Killed, it would leave its shared memory behind.
  const endBy = 'SIGQUIT';
  return { url, ...(await startServer({ program, args, folder, options, endBy, isReady })) };
}

function findPrograms() {
  if (!findInstalled()) installPackage('postgresql', 'BENCH_POSTGRES');
  return findInstalled();
}

function findInstalled() {
  const versions = existsSync(PROGRAMS) ? readdirSync(PROGRAMS) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  const folder = newest && join(PROGRAMS, newest, 'bin');
  return folder && existsSync(join(folder, 'initdb')) ? folder : null;
}

/** PostgreSQL refuses to run as root: then it runs as the user of its package. */
function ownerOf(folder) {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const owner = { uid: idOf('-u'), gid: idOf('-g') };
  chownSync(folder, owner.uid, owner.gid);
  return owner;
}

async function canConnect(url) {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
