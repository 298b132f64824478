import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createApiService } from '../api/server/create-api-service.ts';
import { createEngine, type EngineHost } from '../core/engine/create-engine.ts';
import {
  type Clock,
  type Logger,
  type Principal,
  type Random,
  serviceGroup,
} from '../core/index.ts';
import type { Config } from './config.ts';
import { isLoopback, toUrl } from './listen-address.ts';
import { openStore } from './open-store.ts';
import { StartError, toStartError } from './start-error.ts';

/** What the programs are handed by whoever starts them. */
export interface AppContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly version: string;
}

export interface Server {
  readonly host: EngineHost;
  /** Where it answers. */
  readonly url: string;
  /** What keeps its data, for people. */
  readonly store: string;
  stop(): Promise<void>;
}

/** Starts API, dashboard and maintenance over the configured store. Throws StartError. */
export async function startServer(config: Config, context: AppContext): Promise<Server> {
  const { clock, random, logger, version } = context;
  try {
    const serverUrl = toUrl(config.listen);
    const store = await openStore(config.store, { clock, random, serverUrl });
    const host = createEngine({ store, clock, random, logger, version });
    try {
      const api = createApiService({
        host: withAdminToken(host, config.auth.adminToken),
        version,
        auth: await chooseAuth(host, config),
        logger,
        clock,
        listen: config.listen,
        dashboardDir: findDashboard(),
      });
      const services = serviceGroup('server', [host.maintenance, api]);
      await services.start();
      const port = Number(new URL(api.url ?? serverUrl).port);
      const url = toUrl({ ...config.listen, port });
      const { label } = store.capabilities;
      logger.info('server.started', { url, store: label });
      return { host, url, store: label, stop: () => stopServer(host, services.stop, logger) };
    } catch (error) {
      await host.close();
      throw error;
    }
  } catch (error) {
    throw toStartError(error);
  }
}

async function stopServer(host: EngineHost, stop: () => Promise<void>, logger: Logger) {
  host.stopWaiting();
  await stop();
  await host.close();
  logger.info('server.stopped');
}

/** On loopback the person at the machine is its owner; anywhere else everybody shows a token. */
async function chooseAuth(host: EngineHost, { listen, auth }: Config) {
  const { allowedHosts, adminToken } = auth;
  if (isLoopback(listen.host)) return { mode: 'loopback', allowedHosts } as const;
  const tokens = await host.handle().tokens.list();
  if (tokens.length === 0 && adminToken === null) {
    throw new StartError(
      `Other machines can reach ${listen.host}, and there are no access tokens: make one first ` +
        '(batchyard up, then batchyard token create NAME --role admin), or set BATCHYARD_AUTH_ADMIN_TOKEN.',
    );
  }
  return { mode: 'tokens', allowedHosts } as const;
}

const ADMIN: Principal = { name: 'admin', role: 'admin', namespaces: null };

/** The same host, which also knows the token of the configuration. */
function withAdminToken(host: EngineHost, adminToken: string | null) {
  if (adminToken === null) return host;
  const known = digest(adminToken);
  return {
    handle: host.handle,
    authenticate: async (secret: string): Promise<Principal | null> =>
      timingSafeEqual(digest(secret), known) ? ADMIN : host.authenticate(secret),
  };
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Where the build puts the dashboard; null in a tree that was not built. */
function findDashboard(): string | null {
  const folder = join(import.meta.dirname, '../dashboard');
  return existsSync(join(folder, 'index.html')) && !existsSync(join(folder, 'tsconfig.json'))
    ? folder
    : null;
}
