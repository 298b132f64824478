import type { z } from 'zod';
import { ENGINE_ROLES, type ErrorCode, type Role } from '../../core/index.ts';
import { NOTHING, type ObjectSchema } from './object-schemas.ts';

export const API_PREFIX = '/api/v1';
export const NDJSON = 'application/x-ndjson';
export const LARGEST_BODY_BYTES = 16 * 1024 * 1024;
/** The longest a request is kept waiting for something to happen; clients ask again. */
export const LONGEST_WAIT_MS = 30_000;

/**
 * What happens when a call is repeated because its answer was lost.
 * `read`: nothing changes. `keyed`: the Idempotency-Key makes it one. `token`: the key is the
 * claim's token. `safe`: it is the same by its own content. `once`: it would be a second call.
 */
export type Repeat = 'read' | 'keyed' | 'token' | 'safe' | 'once';

/** An operation as data: the server binds it, the client calls it, documents print it. */
export interface Endpoint<Params = unknown, Query = unknown, Body = unknown, Answer = unknown> {
  /** The engine's method: `tasks.submit`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After API_PREFIX. */
  readonly path: string;
  readonly summary: string;
  /** What else a caller should know. */
  readonly notes: string;
  /** The least role that may call it. */
  readonly role: Role;
  readonly repeat: Repeat;
  /** It may keep its caller waiting up to LONGEST_WAIT_MS. */
  readonly waits: boolean;
  /** It also takes a body of NDJSON, of any length. */
  readonly streams: boolean;
  readonly params: ObjectSchema<Params>;
  readonly query: ObjectSchema<Query>;
  /** null: it takes none. */
  readonly body: z.ZodType<Body> | null;
  readonly status: 200 | 201 | 204;
  /** null: there is none. */
  readonly answer: z.ZodType<Answer> | null;
  /** Errors beyond those any call may get. */
  readonly errors: readonly ErrorCode[];
}

// biome-ignore lint/suspicious/noExplicitAny: stands for every endpoint, whatever it carries
export type AnyEndpoint = Endpoint<any, any, any, any>;

type Required = 'name' | 'method' | 'path' | 'summary';
type EndpointInput<P, Q, B, A> = Pick<Endpoint<P, Q, B, A>, Required> &
  Partial<Omit<Endpoint<P, Q, B, A>, Required>>;

export function endpoint<P = unknown, Q = unknown, B = unknown, A = unknown>(
  input: EndpointInput<P, Q, B, A>,
): Endpoint<P, Q, B, A> {
  const isRead = input.method === 'GET';
  return {
    notes: '',
    role: roleOf(input.name),
    repeat: isRead ? 'read' : 'keyed',
    waits: false,
    streams: false,
    params: NOTHING as ObjectSchema<P>,
    query: NOTHING as ObjectSchema<Q>,
    body: null,
    status: input.answer ? 200 : 204,
    answer: null,
    errors: [],
    ...input,
  };
}

/** The role the engine asks for; what is no method of the engine is open to whoever may look. */
function roleOf(name: string): Role {
  const [group = '', method = ''] = name.split('.');
  const roles: Readonly<Record<string, Readonly<Record<string, Role>>>> = ENGINE_ROLES;
  return roles[group]?.[method] ?? 'viewer';
}
