import { z } from 'zod';
import { API_PREFIX, type Endpoint } from '../api/contract/endpoint.ts';
import { toInvalidRequest } from '../api/contract/invalid-request.ts';
import { toPath } from '../api/contract/path-name.ts';
import {
  BatchError,
  type Clock,
  invalid,
  type Random,
  systemClock,
  systemRandom,
} from '../core/index.ts';
import { ExchangeError, exchange, type HttpRequest, unreachable } from './http-exchange.ts';

export interface ConnectionOptions {
  /** Where the server is: `http://127.0.0.1:7700`, with a path when a proxy puts it below one. */
  readonly url: string;
  readonly token?: string | null;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface CallRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Names the call, so that it can be repeated; made up when not given. */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long the server may take beyond the usual. */
  readonly waitMs?: number;
}

export interface SendRequest extends Omit<HttpRequest, 'url' | 'signal'> {
  /** After API_PREFIX. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
  readonly waitMs?: number;
  /** Whether doing it twice is doing it once. */
  readonly isRepeatable: boolean;
}

/** Speaks the contract over HTTP: encodes, asks, asks again where that is safe, decodes. */
export interface Connection {
  readonly clock: Clock;
  call<Params, Query, Body, Answer>(
    endpoint: Endpoint<Params, Query, Body, Answer>,
    request: CallRequest<Params, Query, Body>,
  ): Promise<Answer>;
  /** What `read` makes of the text of a successful answer; an ExchangeError of it counts as one of the exchange. */
  send<Answer>(request: SendRequest, read: (text: string) => Answer): Promise<Answer>;
  newKey(): string;
}

const MOST_TRIES = 4;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;
const PATIENCE_MS = 60_000;

export function createConnection(options: ConnectionOptions): Connection {
  const { clock = systemClock, random = systemRandom, token } = options;
  // Browsers want it called as a method of the window.
  const fetchFrom = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const root = toRoot(options.url);

  const newKey = (): string =>
    Array.from(random.bytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('');

  const tryOnce = async ({ path, waitMs = 0, signal, ...rest }: SendRequest): Promise<string> => {
    const late = new AbortController();
    const timer = clock.after(PATIENCE_MS + waitMs, () => late.abort());
    const signals = signal ? [signal, late.signal] : [late.signal];
    const headers = { ...rest.headers, ...(token && { authorization: `Bearer ${token}` }) };
    try {
      const url = `${root}${API_PREFIX}${path}`;
      return await exchange(fetchFrom, { ...rest, url, headers, signal: AbortSignal.any(signals) });
    } catch (error) {
      if (!late.signal.aborted || error instanceof ExchangeError) throw error;
      const remedy = `It took longer than ${(PATIENCE_MS + waitMs) / 1000} s.`;
      throw new ExchangeError(unreachable(root, remedy), { isTemporary: true });
    } finally {
      timer[Symbol.dispose]();
    }
  };

  const send: Connection['send'] = async (request, read) => {
    for (let tries = 1; ; tries++) {
      try {
        return read(await tryOnce(request));
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error;
        const isSafe = request.isRepeatable || !error.mayHaveHappened;
        if (!error.isTemporary || !isSafe || tries === MOST_TRIES) throw error.error;
        const pauseMs = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** tries;
        await clock.sleep(
          Math.min(pauseMs, LONGEST_PAUSE_MS) * (0.5 + random.next() / 2),
          request.signal,
        );
        request.signal?.throwIfAborted();
      }
    }
  };

  return {
    clock,
    send,
    newKey,
    async call(endpoint, { params, query, body, key, signal, waitMs = 0 }) {
      const isNamed = endpoint.repeat === 'keyed' || endpoint.repeat === 'token';
      const request: SendRequest = {
        method: endpoint.method,
        path: toAddress(endpoint, params, query),
        headers: {
          // Also without a body: it tells the server that no form of a web page sent this.
          ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }),
          ...(isNamed && { 'idempotency-key': key ?? newKey() }),
        },
        body: endpoint.body ? JSON.stringify(encode(endpoint.body, body, 'body')) : undefined,
        signal,
        waitMs,
        isRepeatable: endpoint.repeat !== 'once',
      };
      return send(request, (text) => decodeAnswer(endpoint, text, root));
    },
  };
}

function toRoot(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw invalid('url', `"${url}" is not the address of a server`, 'Write http://host:port');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw invalid('url', 'it holds a password', 'Give an access token instead');
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}

function toAddress<Params, Query>(
  endpoint: Endpoint<Params, Query, unknown, unknown>,
  params: Params,
  query: Query | undefined,
): string {
  const segments = encode(endpoint.params, params, 'path') as Record<string, string>;
  for (const [name, segment] of Object.entries(segments)) {
    if (!segment.isWellFormed()) throw invalid(name, 'it is not valid Unicode', 'Send UTF-8 text');
  }
  const search = new URLSearchParams();
  const fields = encode(endpoint.query, query ?? ({} as Query), 'query') as object;
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  const path = toPath(endpoint.path, segments);
  return search.size > 0 ? `${path}?${search}` : path;
}

function encode<T>(schema: z.ZodType<T>, value: T | undefined, place: string): unknown {
  const result = z.safeEncode(schema, value as T, { reportInput: true });
  if (result.success) return result.data;
  throw toInvalidRequest(result.error, place);
}

function decodeAnswer<Answer>(
  { name, answer }: Endpoint<unknown, unknown, unknown, Answer>,
  text: string,
  root: string,
): Answer {
  if (answer === null) return undefined as Answer;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unreachable(root, 'What answers there is not Batchyard.', error);
  }
  const result = answer.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const problem = `the answer to ${name} is not understood (${issue?.path.join('.')}: ${issue?.message})`;
  throw new BatchError('INTERNAL', { problem }, { cause: result.error });
}
