import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import {
  createFolder,
  findFreePort,
  installPackage,
  MissingError,
  startServer,
} from './server-process.mjs';

/** Redis with its log written once a second, or with none: neither waits for the disk. */
export async function openRedisServer({ aof }) {
  const own = process.env.BENCH_REDIS;
  const server = own ? { url: own, pid: 0, stop: async () => {} } : await startRedis(aof);
  if (own) await checkAof(own, aof);
  const [, version] = /redis_version:(\S+)/.exec(await ask(server.url, 'INFO server')) ?? [];
  let made = 0;
  return {
    version: `Redis ${version}`,
    pid: server.pid,
    /** Each measurement has its own prefix. A server of others is never flushed: there the adapter clears up. */
    async createPlace() {
      const prefix = `batchyard-bench-${process.pid}-${++made}`;
      const remove = async () => void (own || (await ask(server.url, 'FLUSHALL')));
      return { place: { url: server.url, prefix, clearsUp: Boolean(own) }, remove };
    },
    stop: () => server.stop(),
  };
}

async function startRedis(aof) {
  if (!hasRedis()) installPackage('redis-server', 'BENCH_REDIS');
  const folder = createFolder('redis');
  const port = await findFreePort();
  const log = aof ? ['--appendonly', 'yes', '--appendfsync', 'everysec'] : ['--appendonly', 'no'];
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  const url = `redis://127.0.0.1:${port}`;
  const isReady = async () => (await ask(url, 'PING').catch(() => '')).includes('PONG');
  const args = [...place, ...log];
  return { url, ...(await startServer({ program: 'redis-server', args, folder, isReady })) };
}

const hasRedis = () => spawnSync('redis-server', ['--version']).status === 0;

async function checkAof(url, aof) {
  const isOn = /\byes\b/.test(await ask(url, 'CONFIG GET appendonly'));
  if (isOn !== aof)
    throw new MissingError(`the server of BENCH_REDIS has AOF ${isOn ? 'on' : 'off'}`);
}

/** One inline command without a client library; the answer as it comes over the wire. */
async function ask(url, command) {
  const { hostname, port, password } = new URL(url);
  const socket = connect(Number(port) || 6379, hostname).setEncoding('utf8');
  try {
    await once(socket, 'connect');
    if (password) {
      socket.write(`AUTH ${decodeURIComponent(password)}\r\n`);
      await once(socket, 'data');
    }
    socket.write(`${command}\r\n`);
    const [answer] = await once(socket, 'data');
    return answer;
  } finally {
    socket.destroy();
  }
}
