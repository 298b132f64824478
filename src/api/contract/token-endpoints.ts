import { z } from 'zod';
import { type AccessToken, type NewToken, type Principal, ROLES } from '../../core/index.ts';
import { endpoint } from './endpoint.ts';
import { open, strict } from './object-schemas.ts';
import { PathName } from './path-name.ts';
import { Instant, listOf, Name } from './wire-values.ts';

const principalFields = {
  name: Name,
  role: z.enum(ROLES),
  namespaces: listOf(Name).nullable().describe('null: all.'),
};

const AccessTokenJson = open<AccessToken>({
  id: z.string(),
  ...principalFields,
  createdAt: Instant,
  expiresAt: Instant.nullable(),
}).meta({ id: 'AccessToken' });

export const whoAmI = endpoint({
  name: 'whoami',
  method: 'GET',
  path: '/whoami',
  summary: 'Say who the server takes you for.',
  answer: open<Principal>(principalFields).meta({ id: 'Principal' }),
});

export const createToken = endpoint({
  name: 'tokens.create',
  method: 'POST',
  path: '/tokens',
  summary: 'Make an access token. Its secret is answered here and never again.',
  notes: 'A call that is repeated gets TOKEN_EXISTS: revoke the token and make another.',
  body: strict<NewToken>({
    name: Name,
    role: z.enum(ROLES),
    namespaces: listOf(Name).nullable().optional(),
    expiresAt: Instant.nullable().optional(),
  }),
  status: 201,
  answer: open<{ token: AccessToken; secret: string }>({
    token: AccessTokenJson,
    secret: z.string(),
  }),
  errors: ['TOKEN_EXISTS'],
});

export const listTokens = endpoint({
  name: 'tokens.list',
  method: 'GET',
  path: '/tokens',
  summary: 'List access tokens, without their secrets.',
  answer: open<{ tokens: AccessToken[] }>({ tokens: z.array(AccessTokenJson) }),
});

export const revokeToken = endpoint({
  name: 'tokens.revoke',
  method: 'DELETE',
  path: '/tokens/:token',
  summary: 'Revoke an access token.',
  params: strict<{ token: string }>({ token: PathName }),
  errors: ['TOKEN_NOT_FOUND'],
});
