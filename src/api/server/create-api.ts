import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import {
  BatchError,
  type Clock,
  invalid,
  type Logger,
  silentLogger,
  systemClock,
} from '../../core/index.ts';
import { API_PREFIX, LARGEST_BODY_BYTES, NDJSON } from '../contract/endpoint.ts';
import { toOpenApi } from '../contract/openapi.ts';
import { type ApiAuth, checkSource, identify } from './authentication.ts';
import { type ApiHost, type Binding, bindRoute, isNdjson } from './bind-route.ts';
import { keepHandles } from './engine-handles.ts';
import { createErrorHandler } from './error-answer.ts';
import { createGate, type Gate } from './gate.ts';
import { readJson } from './json-body.ts';
import { malformedAnswer } from './malformed-request.ts';
import { serveNotFound, servePages } from './page-routes.ts';
import { serveProbes } from './probe-routes.ts';
import { ROUTES } from './routes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface ApiOptions {
  readonly host: ApiHost;
  readonly version: string;
  readonly auth: ApiAuth;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Where the dashboard's built files are; null: there is none. */
  readonly dashboardDir?: string | null;
}

const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** Longer than any wait for work; an upload that stands still this long is over. */
const IDLE_MS = 120_000;
const KEEP_ALIVE_MS = 72_000;
const LARGEST_HEADER_BYTES = 16 * 1024;
const LONGEST_PARAM = 10_000;

/** The HTTP API as an application that can be asked without a socket (`inject`). */
export function createApi(options: ApiOptions, gate: Gate = createGate()): FastifyInstance {
  const { host, auth, logger = silentLogger, clock = systemClock, dashboardDir = null } = options;
  const handleError = createErrorHandler(logger);
  const app = fastify({
    logger: false,
    bodyLimit: LARGEST_BODY_BYTES,
    exposeHeadRoutes: false,
    // The gate answers instead, in the words of every other error.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    connectionTimeout: IDLE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Uploads may take any time; bodies that are held in memory have BODY_MS.
    requestTimeout: 0,
    http: { headersTimeout: HEADERS_MS, maxHeaderSize: LARGEST_HEADER_BYTES },
    routerOptions: { maxParamLength: LONGEST_PARAM },
    frameworkErrors: (error, request, reply) => {
      void reply.headers(SECURITY_HEADERS);
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(malformedAnswer(error));
    },
  });
  const findHandle = keepHandles((principal, namespace) => host.handle(principal, namespace));
  const binding: Binding = { host, findHandle, auth, clock, gate };

  app.decorateRequest('principal', null);
  app.setErrorHandler(handleError);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(SECURITY_HEADERS);
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    checkSource(auth, request);
    if (gate.isClosed && request.url !== '/healthz') throw new BatchError('SHUTTING_DOWN');
    checkEncoding(request);
    limitBodyTime(request, clock);
  });
  app.addHook('onSend', async (_, reply) => {
    // Otherwise a stop would wait for connections on which nothing more is going to come.
    if (gate.isClosed) void reply.header('connection', 'close');
  });
  readBodies(app);

  serveProbes(app, binding);
  servePages(app, dashboardDir);
  serveNotFound(app);
  serveDescription(app, options);
  for (const route of ROUTES) bindRoute(app, { ...binding, route });
  return app;
}

/** Made when first asked for: it takes longer than all else at the start. */
function serveDescription(app: FastifyInstance, { host, auth, version }: ApiOptions): void {
  let description: string | null = null;
  app.get(`${API_PREFIX}/openapi.json`, async (request, reply) => {
    await identify(auth, (secret) => host.authenticate(secret), request);
    description ??= JSON.stringify(toOpenApi(version));
    return reply.type('application/json; charset=utf-8').send(description);
  });
}

/** JSON is read whole, tasks as NDJSON are left to be read line by line; nothing else is taken. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => (body.length === 0 ? undefined : readJson(body)),
  );
  app.addContentTypeParser(NDJSON, async ({ routeOptions }: FastifyRequest, body: unknown) => {
    if (routeOptions.config.endpoint?.streams) return body;
    throw invalid('content-type', `"${NDJSON}" is not taken here`, 'Send application/json');
  });
}

/** What a compressed body would grow to is not known before it is too late. */
function checkEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw invalid('content-encoding', 'compressed bodies are not taken', 'Send it as it is');
}

/** Ends requests whose sender dribbles. */
function limitBodyTime(request: FastifyRequest, clock: Clock): void {
  const { raw } = request;
  const hasBody = raw.headers['content-length'] ?? raw.headers['transfer-encoding'];
  if (hasBody === undefined || isNdjson(request)) return;
  const limit = clock.after(BODY_MS, () => raw.destroy());
  const lift = (): void => limit[Symbol.dispose]();
  raw.once('end', lift).once('close', lift);
}
