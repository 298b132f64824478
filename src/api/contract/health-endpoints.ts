import { z } from 'zod';
import { FINDING_LEVELS, type Finding, type Health } from '../../core/index.ts';
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

export const examineStore = endpoint({
  name: 'examine',
  method: 'GET',
  path: '/examine',
  role: 'admin',
  summary: 'Say what an operator should look at, the worst first: store, clock, nodes, queues.',
  answer: z.array(
    open<Finding>({
      level: z.enum(FINDING_LEVELS),
      topic: z.string(),
      text: z.string(),
      remedy: z.string().nullable(),
    }).meta({ id: 'Finding' }),
  ),
});
