import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { ApiAuth } from '../../src/api/server/authentication.ts';
import { createApi } from '../../src/api/server/create-api.ts';
import { createGate, type Gate } from '../../src/api/server/gate.ts';
import { connectEngine } from '../../src/client/connect-engine.ts';
import type { RemoteEngine } from '../../src/client/remote-engine.ts';
import { createEngine, type EngineHost } from '../../src/core/engine/create-engine.ts';
import type { Engine, LogFields, NewToken, Role } from '../../src/core/index.ts';
import { createModelStore, type ModelStore } from '../support/model-store/model-store.ts';
import { injectFetch } from './inject-fetch.ts';

/** An API over an engine of its own, asked without a socket. */
export interface ApiFixture extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly host: EngineHost;
  readonly store: ModelStore;
  readonly gate: Gate;
  /** In process, as the owner. */
  readonly engine: Engine;
  /** Through the client and the API. */
  readonly remote: RemoteEngine;
  /** What was logged as an error. */
  readonly failures: LogFields[];
  ask(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** A new token's secret. */
  token(role: Role, more?: Partial<NewToken>): Promise<string>;
}

export async function openApi(
  mode: ApiAuth['mode'] = 'loopback',
  dashboardDir: string | null = null,
): Promise<ApiFixture> {
  const store = createModelStore();
  const host = createEngine({ store, version: '1.2.3' });
  const gate = createGate();
  const failures: LogFields[] = [];
  const logger = {
    info: () => {},
    warn: () => {},
    error: (_: string, fields: LogFields = {}) => void failures.push(fields),
  };
  const auth = { mode, allowedHosts: ['yard.test'] };
  const app = createApi({ host, version: '1.2.3', auth, logger, dashboardDir }, gate);
  await app.ready();
  const engine = host.handle();
  let tokenCount = 0;
  const token: ApiFixture['token'] = async (role, more = {}) => {
    tokenCount += 1;
    const { secret } = await engine.tokens.create({ name: `token-${tokenCount}`, role, ...more });
    return secret;
  };
  return {
    app,
    host,
    store,
    gate,
    engine,
    failures,
    token,
    remote: connectEngine({
      url: 'http://localhost',
      fetch: injectFetch(app),
      token: mode === 'tokens' ? await token('admin') : null,
    }),
    ask: (request) =>
      app.inject({ ...request, headers: { host: 'localhost', ...request.headers } }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await host.close();
    },
  };
}
