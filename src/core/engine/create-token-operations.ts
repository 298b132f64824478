import { createHash } from 'node:crypto';
import { checkOneOf } from '../domain/check.ts';
import { checkName, checkNameGiven } from '../domain/namespace.ts';
import { type AccessToken, ROLES } from '../domain/principal.ts';
import { BatchError } from '../errors.ts';
import { type Handle, storeNow } from './engine-context.ts';
import { once } from './once.ts';
import type { TokenOperations } from './token-operations.ts';

export function createTokenOperations(handle: Handle): TokenOperations {
  const { store, ids, random } = handle;
  return {
    async create(request, options) {
      const { name, role, namespaces = null, expiresAt = null } = request;
      checkNameGiven('name', name);
      checkOneOf('role', role, ROLES);
      for (const namespace of namespaces ?? []) checkName('namespaces', namespace);
      const secret = `by_${Buffer.from(random.bytes(32)).toString('base64url')}`;
      const hash = createHash('sha256').update(secret).digest();
      const createdAt = await storeNow(handle);
      const token: AccessToken = { id: ids.next(), name, role, namespaces, createdAt, expiresAt };
      let ran = false;
      const answer = await once(handle, options, ['tokens.create', request], (step) => {
        ran = true;
        return store.tokens.insert(token, hash, step);
      });
      // A repeated call cannot give the secret again: only its hash was kept.
      if (answer === 'exists' || !ran) throw new BatchError('TOKEN_EXISTS', { token: name });
      return { token, secret };
    },
    list: () => store.tokens.list(),
    async revoke(name, options) {
      const answer = await once(handle, options, ['tokens.revoke', name], (step) =>
        store.tokens.delete(name, step),
      );
      if (answer === 'missing') throw new BatchError('TOKEN_NOT_FOUND', { token: name });
    },
  };
}
