/** A real server with a real node, for a browser to look at. */
import { join } from 'node:path';
import { type ApiService, createApiService } from '../../src/api/server/create-api-service.ts';
import { createEngine, type EngineHost } from '../../src/core/engine/create-engine.ts';
import { type Engine, systemClock } from '../../src/core/index.ts';
import { createNode } from '../../src/node/create-node.ts';
import type { TaskContext } from '../../src/node/handler.ts';
import { openSqliteStore } from '../../src/stores/sqlite/store.ts';
import { eventually } from '../support/eventually.ts';
import { ROOT } from '../support/source-files.ts';

export interface Yard extends AsyncDisposable {
  readonly url: string;
  readonly engine: Engine;
  readonly host: EngineHost;
  /** The server goes away, and comes back at the same address. */
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  /** A task of queue `talk` that runs now: it says and ends what the test wants. */
  talking(taskId: string): Promise<Talk>;
}

export interface Talk {
  say(text: string, stream?: 'stdout' | 'stderr'): Promise<void>;
  end(): void;
}

export interface YardOptions {
  readonly auth?: 'loopback' | 'tokens';
  /** Queues are made by the test, or these are there. */
  readonly queues?: boolean;
}

const HOST = '127.0.0.1';

export async function openYard({
  auth = 'loopback',
  queues = true,
}: YardOptions = {}): Promise<Yard> {
  const store = await openSqliteStore({ file: ':memory:', clock: systemClock });
  const host = createEngine({ store, version: '0.0.0-test' });
  const engine = host.handle();
  const talks = new Map<string, Talk>();
  const node = createNode({
    engine,
    name: 'node-1',
    slots: 4,
    programs: true,
    environment: process.env,
    renewMs: 200,
    graceMs: 0,
    killGraceMs: 200,
    handlers: {
      quick: async (params) => params,
      fail: (params: { message?: string }) => {
        throw new Error(params.message ?? 'it failed');
      },
      talk: (_, context) => talk(context, talks),
    },
  });
  if (queues) await createQueues(engine);

  let port = 0;
  let api: ApiService | null = null;
  const startServer = async (): Promise<void> => {
    const listen = { host: HOST, port };
    const dashboardDir = join(ROOT, 'dist/dashboard');
    api = createApiService({
      host,
      version: '0.0.0-test',
      auth: { mode: auth },
      listen,
      dashboardDir,
    });
    await api.start();
    port = Number(new URL(api.url ?? '').port);
  };
  await startServer();
  await node.start();

  return {
    url: `http://${HOST}:${port}/`,
    engine,
    host,
    startServer,
    stopServer: async () => api?.stop(),
    talking: (taskId) => eventually(`task ${taskId} talks`, () => talks.get(taskId)),
    async [Symbol.asyncDispose]() {
      for (const one of talks.values()) one.end();
      await node.stop();
      host.stopWaiting();
      await api?.stop();
      await host.close();
    },
  };
}

async function createQueues({ queues }: Engine): Promise<void> {
  await queues.create('quick');
  await queues.create('fail', { maxAttempts: 1 });
  await queues.create('talk', { maxRunning: 4 });
  await queues.create('idle', { handler: 'nobody-has-it' });
  await queues.create('sleep', {
    program: { argv: ['sh', '-c', 'echo begun; exec sleep 600'], cwd: null, env: {} },
  });
}

async function talk(context: TaskContext, talks: Map<string, Talk>): Promise<string> {
  await new Promise<void>((resolve) => {
    context.signal.addEventListener('abort', () => resolve());
    talks.set(context.task.taskId, {
      say: (text, stream) => context.write(text, stream),
      end: resolve,
    });
  });
  return 'said all';
}
