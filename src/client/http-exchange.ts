import { ErrorJson, fromErrorJson } from '../api/contract/error-json.ts';
import { BatchError } from '../core/index.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** An exchange that failed. `mayHaveHappened`: the server may have done what was asked. */
export class ExchangeError extends Error {
  readonly error: BatchError;
  readonly isTemporary: boolean;
  readonly mayHaveHappened: boolean;
  readonly retryAfterMs: number | null;

  constructor(error: BatchError, trouble: Partial<Trouble> = {}) {
    super(error.message);
    this.error = error;
    this.isTemporary = trouble.isTemporary ?? false;
    this.mayHaveHappened = trouble.mayHaveHappened ?? true;
    this.retryAfterMs = trouble.retryAfterMs ?? null;
  }
}

interface Trouble {
  readonly isTemporary: boolean;
  readonly mayHaveHappened: boolean;
  readonly retryAfterMs: number | null;
}

/** Asks once. Gives the text of a success; throws an ExchangeError otherwise, or what the signal was aborted with. */
export async function exchange(fetchFrom: typeof fetch, request: HttpRequest): Promise<string> {
  const { url, signal } = request;
  const origin = new URL(url).origin;
  let response: Response;
  let text: string;
  try {
    response = await fetchFrom(url, toInit(request));
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new ExchangeError(unreachable(origin, START_IT, error), {
      isTemporary: true,
      mayHaveHappened: !isRefused(error),
    });
  }
  if (response.ok) return text;
  throw toExchangeError(response, text, origin);
}

function toInit({ method, headers, body, signal }: HttpRequest): RequestInit {
  return {
    method,
    headers,
    signal,
    // A redirect would carry the token elsewhere, and no server of ours sends one.
    redirect: 'error',
    credentials: 'omit',
    ...(body !== undefined && { body }),
  };
}

function toExchangeError(response: Response, text: string, origin: string): ExchangeError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : null;
  const answer = findErrorJson(text);
  if (answer !== null) {
    const error = fromErrorJson(answer);
    return new ExchangeError(error, {
      isTemporary: error.kind === 'unavailable',
      mayHaveHappened: error.code !== 'SHUTTING_DOWN',
      retryAfterMs,
    });
  }
  const isGateway = response.status >= 502 && response.status <= 504;
  const remedy = isGateway
    ? `The proxy in front of it says ${response.status}.`
    : `What answers there (${response.status}) is not Batchyard.`;
  return new ExchangeError(unreachable(origin, remedy), { isTemporary: isGateway, retryAfterMs });
}

function findErrorJson(text: string): ErrorJson | null {
  try {
    return ErrorJson.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

const START_IT = 'Start it with `batchyard up`, or name another with --server.';

export function unreachable(url: string, remedy: string, cause?: unknown): BatchError {
  return new BatchError('SERVER_UNREACHABLE', { url, remedy }, { cause });
}

/** Nobody listened, so nothing was sent. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND';
}
