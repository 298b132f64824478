import {
  type Attempt,
  type Claim,
  fromKeyBytes,
  type Json,
  type LiveAttempt,
  type Task,
  type TaskKey,
} from '../../core/store/index.ts';
import { fromHoldCode, fromOutcomeCode, fromStateCode, isLiveCode } from './codes.ts';
import type { Session } from './session.ts';

/** What moves of a task when it goes from state to state. Instants are milliseconds. */
export interface TaskCore {
  readonly row: number;
  /** Hex digits. */
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
  external: number;
  code: number | null;
  lastOutcome: number | null;
  cancelRequestedAt: number | null;
  updatedAt: number;
  endedAt: number | null;
  limitKeys: string | null;
  /** Quoted. */
  error: string | null;
  result: string | null;
}

export interface TaskRow extends TaskCore {
  priority: number;
  readonly createdAt: number;
  readonly key: Uint8Array | null;
  labels: string | null;
  params: string;
}

export const CORE_COLUMNS = `
  t.row, lower(hex(t.id)) as id, t.queue, t.state, t.hold, t.fence, t.claim_count as claimCount,
  t.try_count as tryCount, t.loss_count as lossCount, t.round_count as roundCount, t.node, t.claim,
  t.claimed_at as claimedAt, t.started_at as startedAt, t.expires_at as expiresAt,
  t.not_before as notBefore, t.external, t.code, t.last_outcome as lastOutcome,
  t.cancel_requested_at as cancelRequestedAt, t.updated_at as updatedAt, t.ended_at as endedAt,
  t.limit_keys as limitKeys, t.error, t.result`;

export const TASK_COLUMNS = `${CORE_COLUMNS},
  t.priority, t.created_at as createdAt, t.key, t.labels, t.params`;

export interface AttemptRow {
  readonly fence: number;
  readonly node: number;
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
}

export const ATTEMPT_COLUMNS = `
  a.fence, a.node, a.claimed_at as claimedAt, a.started_at as startedAt, a.expires_at as expiresAt,
  a.ended_at as endedAt, a.outcome, a.code, a.late_outcome as lateOutcome, a.late_at as lateAt,
  a.error, a.data, a.late_data as lateData`;

export function toIdBytes(id: string): Uint8Array {
  return Buffer.from(id, 'hex');
}

/** null stands for JSON's null too. */
export function toText(value: Json | undefined): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export function fromText(text: string | null): Json {
  return text === null ? null : JSON.parse(text);
}

export function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/**
 * Any text in a form that comes back whole, and is another for another text: the binding cuts
 * a text at its first U+0000 and changes halves of surrogate pairs.
 */
export function toQuoted(text: string): string {
  return JSON.stringify(text);
}

export function fromQuoted(text: string): string {
  return JSON.parse(text);
}

/** What of a record is the same for all of a kind takes no room: {} and [] are null. */
export function toLabelsText(labels: Readonly<Record<string, string>>): string | null {
  for (const _ in labels) return JSON.stringify(labels);
  return null;
}

export function fromLabelsText(text: string | null): Readonly<Record<string, string>> {
  return text === null ? {} : JSON.parse(text);
}

export function fromKey(key: Uint8Array | null): TaskKey | null {
  return key === null ? null : fromKeyBytes(key);
}

function toLive({ nodes }: Session, task: TaskCore): LiveAttempt | null {
  if (!isLiveCode(task.state) || task.node === null || task.claimedAt === null) return null;
  return {
    fence: task.fence,
    node: nodes.getByRow(task.node).name,
    claimedAt: new Date(task.claimedAt),
    startedAt: toDate(task.startedAt),
    expiresAt: toDate(task.expiresAt),
  };
}

export function toTask(session: Session, task: TaskRow): Task {
  const { queue } = session.queues.getByRow(task.queue);
  return {
    id: task.id,
    namespace: queue.namespace,
    queueId: queue.id,
    queue: queue.name,
    state: fromStateCode(task.state),
    key: fromKey(task.key),
    params: JSON.parse(task.params),
    result: fromText(task.result),
    error: task.error === null ? null : fromQuoted(task.error),
    code: task.code,
    priority: task.priority,
    notBefore: toDate(task.notBefore),
    labels: fromLabelsText(task.labels),
    hold: task.hold === null ? null : fromHoldCode(task.hold),
    external: task.external === 1,
    attempt: toLive(session, task),
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
export function toClaim({ queues }: Session, task: TaskRow): Claim {
  const { queue } = queues.getByRow(task.queue);
  return {
    taskId: task.id,
    queueId: queue.id,
    queue: queue.name,
    key: fromKey(task.key),
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

type AttemptOf = Pick<TaskRow, 'id' | 'queue' | 'key'>;

export function toEndedAttempt(session: Session, task: AttemptOf, attempt: AttemptRow): Attempt {
  const { lateOutcome, lateAt, lateData } = attempt;
  return {
    taskId: task.id,
    queue: session.queues.getByRow(task.queue).queue.name,
    key: fromKey(task.key),
    fence: attempt.fence,
    node: session.nodes.getByRow(attempt.node).name,
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

export function toLiveAttempt(session: Session, task: TaskRow): Attempt | null {
  const live = toLive(session, task);
  if (!live) return null;
  return {
    taskId: task.id,
    queue: session.queues.getByRow(task.queue).queue.name,
    key: fromKey(task.key),
    ...live,
    endedAt: null,
    outcome: null,
    data: fromText(task.result),
    error: null,
    code: null,
    late: null,
  };
}
