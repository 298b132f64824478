import type { FastifyInstance, InjectOptions } from 'fastify';

/** `fetch` that asks an application directly, without a socket. */
export function injectFetch(app: FastifyInstance): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input));
    const { statusCode, headers, rawPayload } = await app.inject({
      method: (init.method ?? 'GET') as NonNullable<InjectOptions['method']>,
      url: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...(init.headers as Record<string, string>) },
      ...(init.body != null && { payload: String(init.body) }),
      ...(init.signal && { signal: init.signal }),
    });
    const isEmpty = statusCode === 204;
    return new Response(isEmpty ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: headers as Record<string, string>,
    });
  };
}
