import { z } from 'zod';
import {
  ADMISSIONS,
  type KeyedLimit,
  ON_LOST,
  type Program,
  QUEUE_ORDERS,
  type Queue,
  type QueueSettings,
  type Retention,
  type RetryPolicy,
  TASK_STATES,
  type TaskCounts,
} from '../../core/index.ts';
import { type Fields, open, optional, strict } from './object-schemas.ts';
import { Amount, AnyJson, Count, DurationMs, Instant, listOf, Name, Tally } from './wire-values.ts';

const ProgramJson = strict<Program>({
  argv: listOf(z.string()).describe(
    'The program and its arguments; `{item}` is filled from params.',
  ),
  cwd: z.string().nullable(),
  env: z.record(z.string(), z.string()),
});

const RetryJson = strict<RetryPolicy>({
  baseMs: DurationMs,
  factor: z.number().min(1).max(100),
  maxMs: DurationMs,
});

const KeyedLimitJson = strict<KeyedLimit>({
  name: Name,
  by: Name.describe('Where the params hold the key: `tenant`, `customer.region`.'),
  max: Count,
  perMs: DurationMs.nullable().describe('Started within this time; null: at one time.'),
});

const RetentionJson = strict<Retention>({
  succeededMs: DurationMs.nullable(),
  failedMs: DurationMs.nullable(),
});

const limit = Count.nullable();

/** Both what is asked for and what is answered. */
export const settingsFields: Fields<QueueSettings> = {
  handler: Name.nullable().describe('The handler that runs its tasks.'),
  program: ProgramJson.nullable().describe('A program that runs each task; needs role admin.'),
  runtime: Name.describe('The language runtime a claimer must name; "" for any.'),
  priority: Amount.describe('Higher queues go first, always.'),
  weight: Count.describe('The share among queues of equal priority; 0 gets nothing.'),
  paused: z.boolean(),
  order: z.enum(QUEUE_ORDERS),
  maxRunning: limit.describe('Tasks claimed or running at once; null: no limit.'),
  maxRunningPerNode: limit,
  limits: listOf(KeyedLimitJson),
  maxPerClaim: limit,
  nodesOnly: listOf(Name).nullable().describe('Nodes that may serve it; null: all.'),
  nodesNot: listOf(Name),
  maxAttempts: limit.describe('Tries after which a failing task has failed.'),
  retry: RetryJson,
  maxClaims: limit,
  maxRunMs: DurationMs.nullable(),
  leaseMs: DurationMs,
  onLost: z.enum(ON_LOST).describe('What becomes of a task whose node is lost.'),
  maxLosses: limit,
  admission: z.enum(ADMISSIONS),
  continuous: z.boolean(),
  canBeContinuous: z.boolean(),
  intervalMs: DurationMs,
  nextQueue: Name.nullable().describe('Where emitted tasks go that name no queue.'),
  retention: RetentionJson,
  maxOutputBytes: z
    .int()
    .min(0)
    .max(2 ** 40),
  data: AnyJson.describe('Kept and given back, never looked at.'),
};

export const partialSettingsFields = optional(settingsFields);

export const SettingsJson = strict<Partial<QueueSettings>>(partialSettingsFields).meta({
  id: 'QueueSettings',
});

export const QueueJson = open<Queue>({
  id: z.string(),
  namespace: Name,
  name: Name,
  ...settingsFields,
  nextContinuousAt: Instant.nullable(),
  revision: Tally.describe('Grows with each change.'),
  createdAt: Instant,
  updatedAt: Instant,
}).meta({ id: 'Queue' });

const countFields = Object.fromEntries(TASK_STATES.map((state) => [state, Tally]));

export const TaskCountsJson = open<TaskCounts>(countFields as unknown as Fields<TaskCounts>).meta({
  id: 'TaskCounts',
});
