import type { AccessToken, TokenStore } from '../../../src/core/store/index.ts';
import { compare, toHex } from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';

/** By name; the hash in hex. */
export type ModelTokens = Map<string, { readonly token: AccessToken; readonly hash: string }>;

export function createModelTokens(
  { look, take, mutate }: ModelSteps,
  tokens: ModelTokens,
): TokenStore {
  return {
    insert: (token, hash, step) =>
      mutate(step, () => {
        if (tokens.has(token.name)) return 'exists';
        tokens.set(token.name, { token: structuredClone(token), hash: toHex(hash) });
        return 'inserted';
      }),

    findByHash: (hash, step) =>
      take(step, (now) => {
        const found = [...tokens.values()].find((one) => one.hash === toHex(hash));
        const expiresAt = found?.token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
        return found && expiresAt > now ? structuredClone(found.token) : null;
      }),

    list: () =>
      look(() =>
        [...tokens.values()]
          .map(({ token }) => structuredClone(token))
          .sort((a, b) => compare(a.name, b.name)),
      ),

    delete: (name, step) => mutate(step, () => (tokens.delete(name) ? 'deleted' : 'missing')),
  };
}
