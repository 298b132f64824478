import { z } from 'zod';
import type { Health } from '../../core/index.ts';
import { endpoint } from './endpoint.ts';
import { open } from './object-schemas.ts';
import { Instant } from './wire-values.ts';

export const getHealth = endpoint({
  name: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Say that the store answers, its clock, and what serves it.',
  answer: open<Health>({
    store: z.string(),
    durable: z.boolean(),
    now: Instant,
    version: z.string(),
  }).meta({ id: 'Health' }),
});
