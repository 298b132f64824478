import { z } from 'zod';
import {
  ATTEMPT_OUTCOMES,
  type Attempt,
  type Claim,
  type ClaimAnswer,
  type EmitRequest,
  type HeldItem,
  type HoldAnswer,
  type LateWord,
  type Queue,
  type RenewRequest,
  SETTLE_OUTCOMES,
  type SettleAnswer,
  type SettleRequest,
  TASK_STATES,
} from '../../core/index.ts';
import { open, strict } from './object-schemas.ts';
import { QueueJson } from './queue-schemas.ts';
import {
  Amount,
  AnyJson,
  DurationMs,
  Fence,
  Instant,
  Key,
  Labels,
  LONGEST_MS,
  listOf,
  Name,
  Tally,
} from './wire-values.ts';

export const ClaimJson = open<Claim>({
  taskId: z.string(),
  queueId: z.string(),
  queue: Name,
  key: Key.nullable(),
  params: AnyJson,
  priority: Amount,
  labels: Labels,
  fence: Fence.describe('Proves the claim: every call about the attempt names it.'),
  claimCount: Tally,
  tryCount: Tally,
  roundCount: Tally,
  claimedAt: Instant,
  expiresAt: Instant,
}).meta({ id: 'Claim' });

/** Queues are a list on the wire: an object's names could not be "__proto__". */
const QueuesByName = z.codec(z.array(QueueJson), z.custom<Readonly<Record<string, Queue>>>(), {
  decode: (queues) => Object.fromEntries(queues.map((queue) => [queue.name, queue])),
  encode: (byName) => Object.values(byName),
});

export const ClaimAnswerJson = open<ClaimAnswer>({
  claims: z.array(ClaimJson),
  queues: QueuesByName.describe('The queues they come from.'),
}).meta({ id: 'ClaimAnswer' });

const LateWordJson = open<LateWord>({
  outcome: z.enum(ATTEMPT_OUTCOMES),
  data: AnyJson,
  at: Instant,
});

export const AttemptJson = open<Attempt>({
  taskId: z.string(),
  queue: Name,
  key: Key.nullable(),
  fence: Fence,
  node: Name,
  claimedAt: Instant,
  startedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  endedAt: Instant.nullable().describe('null while it lives.'),
  outcome: z.enum(ATTEMPT_OUTCOMES).nullable(),
  data: AnyJson,
  error: z.string().nullable(),
  code: Amount.nullable(),
  late: LateWordJson.nullable().describe('What it said after it had ended.'),
}).meta({ id: 'Attempt' });

const heldFields = {
  taskId: z.string(),
  fence: Fence.nullable().describe('null: whichever attempt is live.'),
};

export const HeldItemJson = strict<HeldItem>(heldFields);

export const RenewJson = strict<RenewRequest>({
  ...heldFields,
  leaseMs: z
    .int()
    .min(-LONGEST_MS)
    .max(LONGEST_MS)
    .optional()
    .describe("The queue's if left out; 0 or less gives the task up."),
  data: AnyJson.optional().describe('What is known so far.'),
}).meta({ id: 'RenewRequest' });

export const HoldAnswerJson = open<HoldAnswer>({
  taskId: z.string(),
  fence: Fence,
  status: z
    .enum(['held', 'cancelled', 'lost'])
    .describe('`cancelled`: still held, stop. `lost`: stop, and write nothing more.'),
  expiresAt: Instant.nullable(),
}).meta({ id: 'HoldAnswer' });

const EmitJson = strict<EmitRequest>({
  queue: Name.optional(),
  key: Key.nullable().optional(),
  params: AnyJson.optional(),
  priority: Amount.optional(),
  delayMs: DurationMs.optional(),
  labels: Labels.optional(),
  onConflict: z.enum(['replace', 'skip']).optional(),
}).meta({ id: 'EmitRequest' });

export const SettleJson = strict<SettleRequest>({
  ...heldFields,
  outcome: z.enum(SETTLE_OUTCOMES),
  output: AnyJson.optional().describe('The result.'),
  error: z.string().nullable().optional(),
  code: Amount.nullable().optional(),
  final: z.boolean().optional().describe('With failure: do not try again.'),
  delayMs: DurationMs.optional().describe('With failure or release: wait at least this long.'),
  emit: listOf(EmitJson).optional().describe('Tasks to add in the same step.'),
  again: strict<NonNullable<SettleRequest['again']>>({
    delayMs: DurationMs.optional(),
    params: AnyJson.optional(),
  })
    .optional()
    .describe('With success: not the end; run again from the back of the queue.'),
}).meta({ id: 'SettleRequest' });

export const SettleAnswerJson = open<SettleAnswer>({
  taskId: z.string(),
  fence: Fence,
  status: z.enum(['applied', 'repeated', 'late', 'lost']),
  state: z.enum(TASK_STATES).nullable(),
}).meta({ id: 'SettleAnswer' });
