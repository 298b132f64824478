import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Clock, invalid, type Service, systemClock } from '../../core/index.ts';
import { type ApiOptions, createApi } from './create-api.ts';
import { createGate } from './gate.ts';

export interface ApiServiceOptions extends ApiOptions {
  readonly listen: { readonly host: string; readonly port: number };
}

export interface ApiService extends Service {
  /** Where it listens, once it does. */
  readonly url: string | null;
}

const MOST_CONNECTIONS = 10_000;
/** How long a stop waits for requests that are being answered. */
const GRACE_MS = 10_000;

/** Serves the API on a socket. `stop` refuses new requests, ends waiting ones and finishes the rest. */
export function createApiService(options: ApiServiceOptions): ApiService {
  const { listen, auth, clock = systemClock } = options;
  const gate = createGate();
  let app: FastifyInstance | null = null;
  let url: string | null = null;
  let starting: Promise<void> | null = null;
  let stopping: Promise<void> | null = null;

  const start = async (): Promise<void> => {
    if (auth.mode === 'loopback' && !isLoopback(listen.host)) {
      throw invalid(
        'listen',
        `${listen.host} can be reached from other machines, and nobody has to log in`,
        'Listen on 127.0.0.1, or make access tokens and use them',
      );
    }
    if (gate.isClosed) return;
    app = createApi(options, gate);
    app.server.maxConnections = MOST_CONNECTIONS;
    try {
      await app.listen({ host: listen.host, port: listen.port });
    } catch (error) {
      throw toListenError(error, listen);
    }
    const { port } = app.server.address() as AddressInfo;
    url = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
  };

  const stop = async (): Promise<void> => {
    gate.close();
    await starting?.catch(() => {});
    if (app === null) return;
    await closeWithin(app, clock);
    url = null;
  };

  return {
    name: 'api',
    get url() {
      return url;
    },
    start: () => {
      starting ??= start();
      return starting;
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function closeWithin(app: FastifyInstance, clock: Clock): Promise<void> {
  const closed = new AbortController();
  const closing = app.close().finally(() => closed.abort());
  await clock.sleep(GRACE_MS, closed.signal);
  app.server.closeAllConnections();
  await closing;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function toListenError(error: unknown, { host, port }: ApiServiceOptions['listen']): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return invalid('listen', `port ${port} is in use`, 'Stop the other server or use --listen');
  }
  if (code === 'EACCES') {
    return invalid('listen', `port ${port} may not be used`, 'Use a port above 1023');
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return invalid('listen', `${host} is no address of this machine`, 'Use 127.0.0.1 or 0.0.0.0');
  }
  return error;
}
