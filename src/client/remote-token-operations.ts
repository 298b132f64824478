import { createToken, listTokens, revokeToken } from '../api/contract/token-endpoints.ts';
import type { TokenOperations } from '../core/index.ts';
import type { Connection } from './connection.ts';

export function remoteTokenOperations({ call }: Connection): TokenOperations {
  return {
    create: (body, options = {}) =>
      call(createToken, { params: {}, body, key: options.idempotencyKey }),
    list: async () => (await call(listTokens, { params: {} })).tokens,
    async revoke(token, options = {}) {
      await call(revokeToken, { params: { token }, key: options.idempotencyKey });
    },
  };
}
