import type { Clock, Engine, Principal, Repeatable } from '../../core/index.ts';
import type { AnyEndpoint, Endpoint } from '../contract/endpoint.ts';

/** A request, read and checked. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  /** The handle of the namespace in the path, for whoever asks. */
  readonly engine: Engine;
  readonly principal: Principal;
  readonly clock: Clock;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The Idempotency-Key, as the engine wants it. */
  readonly once: Repeatable;
  /** Aborts when the caller goes away or the server stops. */
  readonly signal: AbortSignal;
}

export interface Route {
  readonly endpoint: AnyEndpoint;
  handle(call: Call): Promise<unknown>;
  /** For a body of NDJSON: the lines to answer with. What it throws before the first is the answer. */
  stream?(call: Call, body: AsyncIterable<Uint8Array>): AsyncGenerator<string>;
}

/** Binds an endpoint to what it does. Handlers only translate: a BatchError passes through. */
export function route<Params, Query, Body, Answer>(
  endpoint: Endpoint<Params, Query, Body, Answer>,
  handle: (call: Call<Params, Query, Body>) => Promise<Answer>,
): Route {
  return { endpoint, handle: handle as Route['handle'] };
}
