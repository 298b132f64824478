import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type Clock,
  DEFAULT_NAMESPACE,
  type Engine,
  invalid,
  needRole,
  type Principal,
  type Repeatable,
} from '../../core/index.ts';
import { type AnyEndpoint, API_PREFIX, NDJSON } from '../contract/endpoint.ts';
import { decode } from '../contract/invalid-request.ts';
import { type ApiAuth, type Authenticate, identify } from './authentication.ts';
import type { FindHandle } from './engine-handles.ts';
import type { Gate } from './gate.ts';
import type { Call, Route } from './route.ts';

/** What the API asks of the engine's host. */
export interface ApiHost {
  handle(principal: Principal, namespace?: string): Engine;
  authenticate: Authenticate;
}

export interface Binding {
  readonly host: ApiHost;
  readonly findHandle: FindHandle;
  readonly auth: ApiAuth;
  readonly clock: Clock;
  readonly gate: Gate;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** Serves a route: who asks and whether he may is settled before the body is read. */
export function bindRoute(app: FastifyInstance, { route, ...binding }: Binding & { route: Route }) {
  const { endpoint } = route;
  app.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path}`,
    config: { endpoint },
    onRequest: async (request) => {
      const { host, auth } = binding;
      const principal = await identify(auth, (secret) => host.authenticate(secret), request);
      needRole(principal, endpoint.role, endpoint.name);
      request.principal = principal;
    },
    handler: async (request, reply) => {
      if (isNdjson(request) && route.stream) return stream(route, binding, request, reply);
      const answer = await route.handle(toCall(endpoint, binding, request, reply));
      return sendAnswer(endpoint, answer, reply);
    },
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: AnyEndpoint;
  }
}

export function isNdjson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === NDJSON;
}

function toCall(
  endpoint: AnyEndpoint,
  { findHandle, clock, gate }: Binding,
  request: FastifyRequest,
  reply: FastifyReply,
): Call {
  const principal = request.principal as Principal;
  const params = decode(endpoint.params, request.params, 'path') as { namespace?: string };
  const query = decode(endpoint.query, request.query, 'query');
  const body = isNdjson(request) ? undefined : toBody(endpoint, request.body);
  // Calls that are about no namespace still need one that the principal may use.
  const namespace = params.namespace ?? principal.namespaces?.[0] ?? DEFAULT_NAMESPACE;
  return {
    engine: findHandle(principal, namespace),
    principal,
    clock,
    params,
    query,
    body,
    once: toRepeatable(request),
    signal: endpoint.waits || endpoint.streams ? goneSignal(gate, reply) : gate.signal,
  };
}

function toBody(endpoint: AnyEndpoint, body: unknown): unknown {
  if (endpoint.body !== null) return decode(endpoint.body, body, 'body');
  const isNothing = body === undefined || body === null || isEmptyObject(body);
  if (!isNothing) throw invalid('body', 'none is taken here', 'Send none');
  return undefined;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function toRepeatable({ headers }: FastifyRequest): Repeatable {
  const key = headers['idempotency-key'];
  if (key === undefined) return {};
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)) {
    const remedy = 'Use 1 to 200 printable ASCII characters without spaces';
    throw invalid('idempotency-key', 'it is not usable', remedy);
  }
  return { idempotencyKey: key };
}

/** Aborts when the server stops, or when the connection closes before the answer was given. */
function goneSignal(gate: Gate, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gate.signal, gone.signal]);
}

function sendAnswer(endpoint: AnyEndpoint, answer: unknown, reply: FastifyReply): FastifyReply {
  reply.code(endpoint.status);
  if (endpoint.answer === null) return reply.send();
  const json = JSON.stringify(z.encode(endpoint.answer, answer));
  return reply.type('application/json; charset=utf-8').send(json);
}

async function stream(
  { endpoint, stream }: Route,
  binding: Binding,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const call = toCall(endpoint, binding, request, reply);
  const lines = stream?.(call, request.raw) ?? [];
  return reply.type(NDJSON).send(Readable.from(await begun(lines as AsyncGenerator<string>)));
}

/** Runs to the first line before anything is answered, so that an early error has a status of its own. */
async function begun(lines: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* lines;
  })();
}
