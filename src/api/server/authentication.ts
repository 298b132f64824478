import type { FastifyRequest } from 'fastify';
import { BatchError, OWNER, type Principal } from '../../core/index.ts';
import { wrongContentType } from './error-answer.ts';
import { checkOrigin } from './origin-rule.ts';

export interface ApiAuth {
  /** `loopback`: whoever reaches the server on this machine is its owner. `tokens`: everybody names one. */
  readonly mode: 'loopback' | 'tokens';
  /** Further names the server goes by without login, with or without a port. */
  readonly allowedHosts?: readonly string[];
}

export type Authenticate = (secret: string) => Promise<Principal | null>;

const TOKEN_SHAPE = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Holds for every request, pages included: what needs no login is for this machine's own programs and pages. */
export function checkSource({ mode, allowedHosts = [] }: ApiAuth, request: FastifyRequest): void {
  if (mode !== 'loopback') return;
  const { method, url: path, headers } = request;
  checkOrigin({ method, path, headers }, allowedHosts);
}

/** Who asks. UNAUTHENTICATED when that is needed and not said, or said wrongly. */
export async function identify(
  { mode }: ApiAuth,
  authenticate: Authenticate,
  request: FastifyRequest,
): Promise<Principal> {
  const { authorization } = request.headers;
  if (mode === 'loopback' && authorization === undefined) {
    checkFormless(request);
    return OWNER;
  }
  if (authorization === undefined) {
    throw unauthenticated('send an access token as "Authorization: Bearer …".');
  }
  const secret = TOKEN_SHAPE.exec(authorization)?.[1];
  if (secret === undefined) {
    throw unauthenticated('the Authorization header is not "Bearer" and a token.');
  }
  const principal = await authenticate(secret);
  if (principal === null) {
    throw unauthenticated('the access token is not known here, was revoked or has expired.');
  }
  return principal;
}

/** A page of another site can send forms and text without asking first, but never JSON. */
function checkFormless({ method, headers }: FastifyRequest): void {
  if (method === 'GET' || method === 'DELETE') return;
  const type = headers['content-type'];
  if (!/^application\/(json|x-ndjson)\s*(;|$)/i.test(type ?? '')) throw wrongContentType(type);
}

function unauthenticated(remedy: string): BatchError {
  return new BatchError('UNAUTHENTICATED', { remedy });
}
