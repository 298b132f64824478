import type { AccessToken, Role } from '../domain/principal.ts';
import type { Repeatable } from './repeatable.ts';

/** Access tokens: role admin only. */
export interface TokenOperations {
  /** The secret is given here once and never again. TOKEN_EXISTS. */
  create(request: NewToken, options?: Repeatable): Promise<{ token: AccessToken; secret: string }>;
  list(): Promise<AccessToken[]>;
  /** TOKEN_NOT_FOUND. */
  revoke(name: string, options?: Repeatable): Promise<void>;
}

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** null: all. */
  readonly namespaces?: readonly string[] | null;
  readonly expiresAt?: Date | null;
}
