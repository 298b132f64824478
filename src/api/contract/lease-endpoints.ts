import { z } from 'zod';
import type { LeaseAnswer } from '../../core/index.ts';
import { endpoint } from './endpoint.ts';
import { type InNamespace, inNamespace } from './namespace-endpoints.ts';
import { open, strict } from './object-schemas.ts';
import { PathName } from './path-name.ts';
import { DurationMs, Instant, Name, Tally } from './wire-values.ts';

const ONE_LEASE = '/namespaces/:namespace/leases/:lease';

const LeaseParams = strict<InNamespace & { lease: string }>({ ...inNamespace, lease: PathName });

export const acquireLease = endpoint({
  name: 'leases.acquire',
  method: 'POST',
  path: `${ONE_LEASE}/acquire`,
  summary: 'Take or renew a named lease; `held` says whether it is yours now.',
  repeat: 'safe',
  params: LeaseParams,
  body: strict<{ holder: string; ttlMs: number }>({ holder: Name, ttlMs: DurationMs }),
  answer: open<LeaseAnswer>({
    held: z.boolean(),
    holder: Name,
    term: Tally,
    expiresAt: Instant,
  }).meta({ id: 'LeaseAnswer' }),
});

export const releaseLease = endpoint({
  name: 'leases.release',
  method: 'POST',
  path: `${ONE_LEASE}/release`,
  summary: 'Give a lease back; no error when it is not held.',
  repeat: 'safe',
  params: LeaseParams,
  body: strict<{ holder: string }>({ holder: Name }),
});
