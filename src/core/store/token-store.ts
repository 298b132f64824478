import type { AccessToken } from '../domain/principal.ts';
import type { Mutation, Step } from './step.ts';

export interface TokenStore {
  /** `exists`: a token of that name is there; nothing changed. */
  insert(token: AccessToken, hash: Uint8Array, step: Mutation): Promise<'inserted' | 'exists'>;
  /** The token with this hash, unless it has expired. */
  findByHash(hash: Uint8Array, step: Step): Promise<AccessToken | null>;
  /** All, by name. */
  list(): Promise<AccessToken[]>;
  delete(name: string, step: Mutation): Promise<'deleted' | 'missing'>;
}
