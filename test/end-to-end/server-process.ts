import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';

export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** `batchyard up` as a user starts it, on the built program. Talks plain HTTP: shares no code with what it tests. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says; the test looks at it
  readonly body: any;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port to be had.');
  return address.port;
}

export async function startServer(
  port: number,
  args: readonly string[],
  cwd: string,
): Promise<ServerProcess> {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [CLI, 'up', '--listen', `127.0.0.1:${port}`, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
    });
  }
  const exited = once(child, 'exit');
  const request: ServerProcess['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const isReady = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`The server ended by itself:\n${said}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    return response?.status === 200;
  };
  await eventually('the server is ready', isReady, 30_000);
  return {
    url,
    child,
    request,
    async kill(signal) {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
