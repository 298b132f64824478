import { z } from 'zod';
import type {
  AssignRequest,
  Attempt,
  Claim,
  ClaimRequest,
  ClaimTaskRequest,
  HeldItem,
  HoldAnswer,
  RenewRequest,
  SettleAnswer,
  SettleRequest,
} from '../../core/index.ts';
import {
  AttemptJson,
  ClaimAnswerJson,
  ClaimJson,
  HeldItemJson,
  HoldAnswerJson,
  RenewJson,
  SettleAnswerJson,
  SettleJson,
} from './attempt-schemas.ts';
import { endpoint, LONGEST_WAIT_MS } from './endpoint.ts';
import { open, strict } from './object-schemas.ts';
import { NamespaceParams, TaskParams } from './task-endpoints.ts';
import { Count, DurationMs, listOf, Name } from './wire-values.ts';

const IN_NAMESPACE = '/namespaces/:namespace';
const ONE_TASK = `${IN_NAMESPACE}/tasks/:task`;

/** The token goes as the Idempotency-Key, the signal not at all. */
export type ClaimBody = Omit<ClaimRequest, 'token' | 'signal'>;

export const claimTasks = endpoint({
  name: 'attempts.claim',
  method: 'POST',
  path: `${IN_NAMESPACE}/claims`,
  summary: 'Claim tasks for a node; none is a normal answer.',
  notes: 'Repeated with the same Idempotency-Key, it gives the claims of the first call again.',
  repeat: 'token',
  waits: true,
  params: NamespaceParams,
  body: strict<ClaimBody>({
    node: Name,
    limit: Count.optional(),
    queues: listOf(Name).optional().describe('Only these.'),
    queuesNot: listOf(Name).optional(),
    runtimes: listOf(Name).optional(),
    handlers: listOf(Name).optional(),
    programs: z.boolean().optional().describe('Whether queues with a program are wanted.'),
    oneQueue: z.boolean().optional(),
    leaseMs: DurationMs.optional(),
    start: z
      .boolean()
      .optional()
      .describe('Running at once (the default), or claimed until `start`.'),
    waitMs: z.int().min(0).max(LONGEST_WAIT_MS).optional().describe('Wait for work that long.'),
  }),
  answer: ClaimAnswerJson,
});

export const claimTask = endpoint({
  name: 'attempts.claimTask',
  method: 'POST',
  path: `${ONE_TASK}/claim`,
  summary: 'Claim one task for a node.',
  repeat: 'once',
  params: TaskParams,
  body: strict<ClaimTaskRequest>({
    node: Name,
    leaseMs: DurationMs.optional(),
    start: z.boolean().optional(),
    force: z.boolean().optional().describe('Even if delayed, held, paused or beyond a limit.'),
  }),
  answer: ClaimJson,
  errors: ['TASK_NOT_FOUND', 'TASK_STATE'],
});

export interface Assignment {
  readonly node: string;
  readonly claim: Claim;
}

export const assignTask = endpoint({
  name: 'attempts.assign',
  method: 'POST',
  path: `${ONE_TASK}/assign`,
  summary: 'Give a task to the least loaded of some nodes; null when none is live and free.',
  repeat: 'once',
  params: TaskParams,
  body: strict<AssignRequest>({
    candidates: listOf(Name),
    leaseMs: DurationMs.optional(),
    start: z.boolean().optional(),
  }),
  answer: open<{ assignment: Assignment | null }>({
    assignment: open<Assignment>({ node: Name, claim: ClaimJson }).nullable(),
  }),
  errors: ['TASK_NOT_FOUND', 'TASK_STATE'],
});

const HoldAnswers = open<{ answers: HoldAnswer[] }>({ answers: z.array(HoldAnswerJson) });

export const startAttempts = endpoint({
  name: 'attempts.start',
  method: 'POST',
  path: `${IN_NAMESPACE}/attempts/start`,
  summary: 'Say that claimed tasks are running now.',
  repeat: 'safe',
  params: NamespaceParams,
  body: strict<{ items: readonly HeldItem[] }>({ items: listOf(HeldItemJson) }),
  answer: HoldAnswers,
});

export const renewAttempts = endpoint({
  name: 'attempts.renew',
  method: 'POST',
  path: `${IN_NAMESPACE}/attempts/renew`,
  summary: 'Keep leases, report progress, and learn what to stop.',
  repeat: 'safe',
  params: NamespaceParams,
  body: strict<{ items: readonly RenewRequest[] }>({ items: listOf(RenewJson) }),
  answer: HoldAnswers,
});

export const settleAttempts = endpoint({
  name: 'attempts.settle',
  method: 'POST',
  path: `${IN_NAMESPACE}/attempts/settle`,
  summary: 'End attempts with their results, all in one step.',
  notes: 'A lost lease is an answer (`late` or `lost`), not an error. Repeating is safe.',
  repeat: 'safe',
  params: NamespaceParams,
  body: strict<{ items: readonly SettleRequest[] }>({ items: listOf(SettleJson) }),
  answer: open<{ answers: SettleAnswer[] }>({ answers: z.array(SettleAnswerJson) }),
});

export const listAttempts = endpoint({
  name: 'attempts.list',
  method: 'GET',
  path: `${ONE_TASK}/attempts`,
  summary: 'List the attempts of a task, the live one last.',
  params: TaskParams,
  answer: open<{ attempts: Attempt[] }>({ attempts: z.array(AttemptJson) }),
  errors: ['TASK_NOT_FOUND'],
});
