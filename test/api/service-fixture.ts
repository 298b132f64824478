import { connect, type Socket } from 'node:net';
import {
  type ApiService,
  type ApiServiceOptions,
  createApiService,
} from '../../src/api/server/create-api-service.ts';
import { createEngine, type EngineHost } from '../../src/core/engine/create-engine.ts';
import { type Clock, type Engine, systemClock } from '../../src/core/index.ts';
import { createModelStore } from '../support/model-store/model-store.ts';

/** The API on a socket of its own. */
export interface ServiceFixture extends AsyncDisposable {
  readonly service: ApiService;
  readonly host: EngineHost;
  readonly engine: Engine;
  /** Where it listens. */
  readonly url: string;
}

type Options = Partial<ApiServiceOptions> & {
  /** Puts something between the API and its engine. */
  readonly wrap?: (engine: Engine) => Engine;
};

/** One that is not started yet. */
export function aService(options: Options = {}): ServiceFixture {
  const { wrap = (engine) => engine, clock = systemClock as Clock, ...rest } = options;
  const host = createEngine({ store: createModelStore({ clock }), clock });
  const service = createApiService({
    host: { ...host, handle: (...args) => wrap(host.handle(...args)) },
    version: '1.2.3',
    auth: { mode: 'loopback' },
    listen: { host: '127.0.0.1', port: 0 },
    clock,
    ...rest,
  });
  return {
    service,
    host,
    engine: host.handle(),
    url: '',
    async [Symbol.asyncDispose]() {
      await service.stop();
      await host.close();
    },
  };
}

export async function startService(options: Options = {}): Promise<ServiceFixture> {
  const fixture = aService(options);
  await fixture.service.start();
  return { ...fixture, url: fixture.service.url ?? '' };
}

/** A bare connection, for what no HTTP client would send. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  /** All that was received until the other side closed. */
  readonly received: Promise<string>;
  text(): string;
}

export function openRaw(url: string, text: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  return {
    socket,
    text: () => received,
    received: new Promise((resolve) => socket.once('close', () => resolve(received))),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
