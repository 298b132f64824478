import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackage } from '../../../scripts/debian-package.ts';
import { findFreePort, untilReady } from './postgres-server.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

export interface PgBouncer extends AsyncDisposable {
  readonly url: string;
}

/** PgBouncer in transaction mode before a server, with few connections to it. */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  install();
  const { hostname, port, pathname, username } = new URL(serverUrl);
  const folder = mkdtempSync(join(tmpdir(), 'batchyard-pgbouncer-'));
  const ownPort = await findFreePort();
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
yard = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`,
  );
  const child = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
    ...ownerOf(folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = `postgres://${username}@127.0.0.1:${ownPort}/yard`;
  await untilReady(child, url);
  return {
    url,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ADVICE = 'Install the package pgbouncer.';

function install(): void {
  if (existsSync(PROGRAM)) return;
  installDebianPackage('pgbouncer', ADVICE);
  if (!existsSync(PROGRAM))
    throw new Error(`There is no PgBouncer after its installation. ${ADVICE}`);
}

/** It refuses to run as root. */
function ownerOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const owner = { uid: idOf('-u'), gid: idOf('-g') };
  for (const name of ['', 'users.txt', 'pgbouncer.ini']) {
    chownSync(join(folder, name), owner.uid, owner.gid);
  }
  return owner;
}
