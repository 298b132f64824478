import { z } from 'zod';
import {
  ATTEMPT_OUTCOMES,
  HOLD_REASONS,
  type LiveAttempt,
  type Submitted,
  TASK_STATES,
  type Task,
  type TaskEdit,
  type TaskSelection,
  type TaskSubmission,
  UNIQUE_SCOPES,
} from '../../core/index.ts';
import { open, strict } from './object-schemas.ts';
import {
  Amount,
  AnyJson,
  DurationMs,
  Fence,
  Instant,
  Key,
  Labels,
  listOf,
  Name,
  Tally,
} from './wire-values.ts';

const LiveAttemptJson = open<LiveAttempt>({
  fence: Fence,
  node: Name,
  claimedAt: Instant,
  startedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
});

export const TaskJson = open<Task>({
  id: z.string(),
  namespace: Name,
  queueId: z.string(),
  queue: Name,
  state: z.enum(TASK_STATES),
  key: Key.nullable(),
  params: AnyJson,
  result: AnyJson.describe('What the live or last attempt reported.'),
  error: z.string().nullable(),
  code: Amount.nullable(),
  priority: Amount,
  notBefore: Instant.nullable(),
  labels: Labels,
  hold: z.enum(HOLD_REASONS).nullable(),
  external: z.boolean(),
  attempt: LiveAttemptJson.nullable(),
  fence: Fence,
  claimCount: Tally,
  tryCount: Tally,
  lossCount: Tally,
  roundCount: Tally,
  lastOutcome: z.enum(ATTEMPT_OUTCOMES).nullable(),
  cancelRequestedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  endedAt: Instant.nullable(),
}).meta({ id: 'Task' });

export const SubmissionJson = strict<TaskSubmission>({
  key: Key.nullable().optional().describe('Unique in the queue.'),
  params: AnyJson.optional(),
  priority: Amount.optional().describe('Higher runs sooner; 0 if left out.'),
  notBefore: Instant.nullable().optional(),
  delayMs: DurationMs.optional().describe('Instead of `notBefore`, from when it is taken in.'),
  labels: Labels.optional(),
  hold: z.boolean().optional(),
  external: z.boolean().optional().describe('Runs without a node and is ended by a call.'),
  unique: strict<NonNullable<TaskSubmission['unique']>>({
    key: Name,
    while: z.enum(UNIQUE_SCOPES).optional(),
  }).optional(),
}).meta({ id: 'TaskSubmission' });

export const SubmittedJson = open<Submitted>({
  id: z.string(),
  outcome: z.enum(['created', 'replaced', 'skipped']),
}).meta({ id: 'Submitted' });

export const SelectionJson = strict<TaskSelection>({
  queues: listOf(Name).optional(),
  states: listOf(z.enum(TASK_STATES)).optional(),
  ids: listOf(Name).optional(),
  keys: listOf(Key).optional(),
  labels: Labels.optional().describe('All of these, with these values.'),
  node: Name.optional(),
  hold: z.enum(HOLD_REASONS).optional(),
  createdAfter: Instant.optional(),
  createdBefore: Instant.optional(),
  search: z.string().max(10_000).optional().describe('Text in the key, the error or the params.'),
}).meta({ id: 'TaskSelection' });

export const EditJson = strict<TaskEdit>({
  priority: Amount.optional(),
  priorityBy: Amount.optional().describe('Added to the priority.'),
  params: AnyJson.optional(),
  notBefore: Instant.nullable().optional(),
  labels: Labels.optional(),
}).meta({ id: 'TaskEdit' });
