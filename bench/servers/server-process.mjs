import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server that cannot be had: its adapters are named as missing, and the run goes on without them. */
export class MissingError extends Error {}

/** A new folder for a server's data. BENCH_DIR says on which disk. */
export function createFolder(kind) {
  return mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), `batchyard-bench-${kind}-`));
}

export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const READY_WITHIN_MS = 30_000;

/** Starts a program and waits until `isReady` answers true. `stop` ends it at once, for its data is thrown away. */
export async function startServer({
  program,
  args,
  folder,
  options = {},
  endBy = 'SIGKILL',
  isReady,
}) {
  const log = [];
  // Detached: an interrupt from the keyboard reaches the bench alone, which then stops its servers in order.
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit').catch((error) => log.push(error.message));
  for (const stream of [child.stdout, child.stderr]) {
    // Only the end is of use, and only when it does not start.
    stream.setEncoding('utf8').on('data', (text) => log.push(text) > 100 && log.shift());
  }
  const isGone = () =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (!isGone()) {
      child.kill(endBy);
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(late);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!isGone() && performance.now() < deadline) {
    if (await isReady()) return { pid: child.pid, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new MissingError(`${program} did not start: ${log.join('').slice(-500)}`);
}

/** Installs a Debian package, which only root may. */
export function installPackage(name, variable) {
  if (process.getuid?.() === 0) {
    console.error(`Installing ${name} …`);
    const { status } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
      stdio: 'ignore',
      // Runlevel 1 keeps the package from starting a server of its own.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
    if (status === 0) return;
  }
  throw new MissingError(`install the package ${name}, or name a server in ${variable}`);
}
