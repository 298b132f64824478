/** An archive's records as lines of text: one JSON document each, bytes as base64. */
import { z } from 'zod';
import type { ArchiveRecord } from '../core/archive/archive-record.ts';
import {
  ATTEMPT_OUTCOMES,
  findBase64Bytes,
  fromKeyBytes,
  HOLD_REASONS,
  type Json,
  OUTPUT_STREAMS,
  QUEUE_DEFAULTS,
  type QueueSettings,
  ROLES,
  TASK_STATES,
  toBase64,
  toKeyBytes,
} from '../core/index.ts';

export function encodeRecord(record: ArchiveRecord): string {
  return JSON.stringify(toPlain(record));
}

function toPlain(record: ArchiveRecord): unknown {
  switch (record.kind) {
    case 'task': {
      const { task, rank, attempts } = record;
      const key = task.key === null ? null : toBase64(toKeyBytes(task.key));
      const bare = attempts.map(({ taskId, queue, key: _, ...attempt }) => attempt);
      return { ...record, task: { ...task, key }, rank: toBase64(rank), attempts: bare };
    }
    case 'output': {
      const chunks = record.chunks.map(({ bytes, ...chunk }) => ({
        ...chunk,
        bytes: toBase64(bytes),
      }));
      return { ...record, chunks };
    }
    case 'token':
      return { ...record, hash: toBase64(record.hash) };
    default:
      return record;
  }
}

const Id = z.string().regex(/^[0-9a-f]{24}$/, 'is no id');
const Count = z.number().int().nonnegative();
const Instant = z.iso.datetime().transform((text) => new Date(text));
const Bytes = z.string().transform((text, context) => {
  const bytes = findBase64Bytes(text);
  if (bytes) return bytes;
  context.addIssue('is not base64');
  return z.NEVER;
});
const Data = z.custom<Json>((value) => value !== undefined, 'is missing');
const Labels = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string'),
  'are not texts by name',
);
const Outcome = z.enum(ATTEMPT_OUTCOMES);

const Live = z.object({
  fence: Count,
  node: z.string(),
  claimedAt: Instant,
  startedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
});

const Attempt = Live.extend({
  endedAt: Instant,
  outcome: Outcome,
  data: Data,
  error: z.string().nullable(),
  code: z.number().nullable(),
  late: z.object({ outcome: Outcome, data: Data, at: Instant }).nullable(),
});

const Task = z.object({
  id: Id,
  namespace: z.string(),
  queueId: Id,
  queue: z.string(),
  state: z.enum(TASK_STATES),
  key: Bytes.transform(fromKeyBytes).nullable(),
  params: Data,
  result: Data,
  error: z.string().nullable(),
  code: z.number().nullable(),
  priority: z.number(),
  notBefore: Instant.nullable(),
  labels: Labels,
  hold: z.enum(HOLD_REASONS).nullable(),
  external: z.boolean(),
  attempt: Live.nullable(),
  fence: Count,
  claimCount: Count,
  tryCount: Count,
  lossCount: Count,
  roundCount: Count,
  lastOutcome: Outcome.nullable(),
  cancelRequestedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  endedAt: Instant.nullable(),
});

const SETTINGS = Object.keys(QUEUE_DEFAULTS) as (keyof QueueSettings)[];

const Queue = z
  .looseObject({
    id: Id,
    namespace: z.string(),
    name: z.string(),
    nextContinuousAt: Instant.nullable(),
    revision: Count,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .refine((queue) => SETTINGS.every((name) => Object.hasOwn(queue, name)), 'lacks a setting');

const Chunk = z.object({
  number: Count,
  stream: z.enum(OUTPUT_STREAMS),
  offset: Count,
  at: Instant,
  bytes: Bytes,
});

const Token = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  namespaces: z.array(z.string()).nullable(),
  createdAt: Instant,
  expiresAt: Instant.nullable(),
});

const Record = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('namespace'), name: z.string() }),
  z.object({ kind: z.literal('queue'), queue: Queue, isDeleted: z.boolean() }),
  z.object({
    kind: z.literal('task'),
    task: Task,
    rank: Bytes,
    uniqueKey: z.string().nullable(),
    attempts: z.array(Attempt),
    outputFences: z.array(Count),
  }),
  z.object({ kind: z.literal('output'), taskId: Id, fence: Count, chunks: z.array(Chunk) }),
  z.object({ kind: z.literal('token'), token: Token, hash: Bytes }),
]);

/** The record, or what is wrong with it. */
export function decodeRecord(value: unknown): ArchiveRecord | string {
  const parsed = Record.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'is wrong'}`;
  }
  const record = parsed.data;
  if (record.kind === 'queue') return record as unknown as ArchiveRecord;
  if (record.kind !== 'task') return record;
  const { id: taskId, queue, key } = record.task;
  const attempts = record.attempts.map((attempt) => ({ taskId, queue, key, ...attempt }));
  return { ...record, attempts };
}
