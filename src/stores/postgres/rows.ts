import type { Attempt, Claim, LiveAttempt, Task } from '../../core/store/index.ts';
import { fromHoldCode, fromOutcomeCode, fromStateCode, isLiveCode } from './codes.ts';
import { fromKeyHex, fromLabelsText, fromQuoted, fromText, toDate } from './values.ts';

/** A task as it is stored. Instants are milliseconds; id, key and rank hex digits. */
export interface TaskRow {
  readonly id: string;
  readonly queue: number;
  state: number;
  hold: number | null;
  fence: number;
  claimCount: number;
  tryCount: number;
  lossCount: number;
  roundCount: number;
  node: number | null;
  claim: number | null;
  claimedAt: number | null;
  startedAt: number | null;
  expiresAt: number | null;
  notBefore: number | null;
  external: boolean;
  code: number | null;
  lastOutcome: number | null;
  cancelRequestedAt: number | null;
  readonly createdAt: number;
  updatedAt: number;
  endedAt: number | null;
  priority: number;
  rank: string;
  readonly key: string | null;
  uniqueKey: string | null;
  limitKeys: string | null;
  labels: string | null;
  /** Quoted. */
  error: string | null;
  params: string;
  result: string | null;
}

export const TASK_COLUMNS = `
  t.id, t.queue, t.state, t.hold, t.fence, t.claim_count as "claimCount", t.try_count as "tryCount",
  t.loss_count as "lossCount", t.round_count as "roundCount", t.node, t.claim,
  t.claimed_at as "claimedAt", t.started_at as "startedAt", t.expires_at as "expiresAt",
  t.not_before as "notBefore", t.external, t.code, t.last_outcome as "lastOutcome",
  t.cancel_requested_at as "cancelRequestedAt", t.created_at as "createdAt",
  t.updated_at as "updatedAt", t.ended_at as "endedAt", t.priority, t.rank, t.key,
  t.unique_key as "uniqueKey", t.limit_keys as "limitKeys", t.labels, t.error, t.params, t.result`;

/** What is shown of a task besides its own row. */
export interface Surroundings {
  readonly queueId: string;
  readonly queueName: string;
  readonly namespace: string;
  /** Of the live attempt. */
  readonly nodeName: string | null;
}

export type ShownTask = TaskRow & Surroundings;

export const SHOWN_COLUMNS = `${TASK_COLUMNS},
  q.id as "queueId", q.name as "queueName", q.namespace, n.name as "nodeName"`;

/** Tasks that are to be found: those of hidden queues are not. */
export const SHOWN_FROM = `
  tasks t join queues q on q.row = t.queue and q.fate < 2 left join nodes n on n.row = t.node`;

function toLive(task: ShownTask): LiveAttempt | null {
  if (!isLiveCode(task.state)) return null;
  return {
    fence: task.fence,
    node: task.nodeName ?? '',
    claimedAt: new Date(task.claimedAt ?? 0),
    startedAt: toDate(task.startedAt),
    expiresAt: toDate(task.expiresAt),
  };
}

export function toTask(task: ShownTask): Task {
  return {
    id: task.id,
    namespace: task.namespace,
    queueId: task.queueId,
    queue: task.queueName,
    state: fromStateCode(task.state),
    key: fromKeyHex(task.key),
    params: JSON.parse(task.params),
    result: fromText(task.result),
    error: task.error === null ? null : fromQuoted(task.error),
    code: task.code,
    priority: task.priority,
    notBefore: toDate(task.notBefore),
    labels: fromLabelsText(task.labels),
    hold: task.hold === null ? null : fromHoldCode(task.hold),
    external: task.external,
    attempt: toLive(task),
    fence: task.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    lossCount: task.lossCount,
    roundCount: task.roundCount,
    lastOutcome: task.lastOutcome === null ? null : fromOutcomeCode(task.lastOutcome),
    cancelRequestedAt: toDate(task.cancelRequestedAt),
    createdAt: new Date(task.createdAt),
    updatedAt: new Date(task.updatedAt),
    endedAt: toDate(task.endedAt),
  };
}

/** Of a task that is live. */
export function toClaim(
  task: TaskRow,
  { id: queueId, name: queue }: { readonly id: string; readonly name: string },
): Claim {
  return {
    taskId: task.id,
    queueId,
    queue,
    key: fromKeyHex(task.key),
    params: JSON.parse(task.params),
    priority: task.priority,
    labels: fromLabelsText(task.labels),
    fence: task.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    roundCount: task.roundCount,
    claimedAt: new Date(task.claimedAt ?? 0),
    expiresAt: new Date(task.expiresAt ?? task.claimedAt ?? 0),
  };
}

export interface AttemptRow {
  readonly fence: number;
  readonly nodeName: string;
  readonly claimedAt: number;
  readonly startedAt: number | null;
  readonly expiresAt: number | null;
  readonly endedAt: number;
  readonly outcome: number;
  readonly code: number | null;
  readonly lateOutcome: number | null;
  readonly lateAt: number | null;
  readonly error: string | null;
  readonly data: string | null;
  readonly lateData: string | null;
  readonly task: string;
  readonly queueName: string;
  readonly key: string | null;
}

export const ATTEMPT_COLUMNS = `
  a.fence, n.name as "nodeName", a.claimed_at as "claimedAt", a.started_at as "startedAt",
  a.expires_at as "expiresAt", a.ended_at as "endedAt", a.outcome, a.code,
  a.late_outcome as "lateOutcome", a.late_at as "lateAt", a.error, a.data,
  a.late_data as "lateData", a.task, q.name as "queueName", t.key`;

export function toEndedAttempt(attempt: AttemptRow): Attempt {
  const { lateOutcome, lateAt, lateData } = attempt;
  return {
    taskId: attempt.task,
    queue: attempt.queueName,
    key: fromKeyHex(attempt.key),
    fence: attempt.fence,
    node: attempt.nodeName,
    claimedAt: new Date(attempt.claimedAt),
    startedAt: toDate(attempt.startedAt),
    expiresAt: toDate(attempt.expiresAt),
    endedAt: new Date(attempt.endedAt),
    outcome: fromOutcomeCode(attempt.outcome),
    data: fromText(attempt.data),
    error: attempt.error === null ? null : fromQuoted(attempt.error),
    code: attempt.code,
    late:
      lateOutcome === null || lateAt === null
        ? null
        : {
            outcome: fromOutcomeCode(lateOutcome),
            data: fromText(lateData),
            at: new Date(lateAt),
          },
  };
}

export function toLiveAttempt(task: ShownTask): Attempt | null {
  const live = toLive(task);
  if (!live) return null;
  return {
    taskId: task.id,
    queue: task.queueName,
    key: fromKeyHex(task.key),
    ...live,
    endedAt: null,
    outcome: null,
    data: fromText(task.result),
    error: null,
    code: null,
    late: null,
  };
}
