/** A task in hand: read from its document, changed by transitions, written back on condition. */
import {
  type Attempt,
  type AttemptOutcome,
  type Claim,
  fromKeyBytes,
  type HoldReason,
  type Json,
  type Task,
  type TaskKey,
  type TaskState,
  type UniqueScope,
} from '../../core/store/index.ts';
import type { QueueRecord } from './queue-record.ts';
import type { TaskDocument } from './task-document.ts';

export interface TaskRecord {
  readonly id: string;
  readonly queue: QueueRecord;
  /** As it was read; null when it is new. */
  readonly document: TaskDocument | null;
  /** Hex digits. */
  readonly key: string | null;
  state: TaskState;
  hold: HoldReason | null;
  /** Who runs or ran it. */
  node: string | null;
  params: Json;
  /** JSON text. */
  result: string;
  error: string | null;
  code: number | null;
  priority: number;
  notBefore: number | null;
  labels: Readonly<Record<string, string>>;
  external: boolean;
  /** Hex digits. */
  rank: string;
  unique: { readonly key: string; readonly scope: UniqueScope } | null;
  live: LiveRecord | null;
  /** Without those that were archived. */
  readonly ended: EndedRecord[];
  archived: number;
  fence: number;
  claimCount: number;
  tryCount: number;
  lossCount: number;
  roundCount: number;
  lastOutcome: AttemptOutcome | null;
  cancelRequestedAt: number | null;
  readonly createdAt: number;
  updatedAt: number;
  endedAt: number | null;
  /** Of a lease that moved: Disbatch's `mtime`, later than `updatedAt`. */
  renewedAt: number | null;
  replacedBy: string | null;
  changedBy: string | null;
  wrote: boolean;
  /** Emissions that wait to be carried out. */
  pending: readonly string[];
  pendingAt: number | null;
  /** Disbatch's output fields, where an end sets them. */
  output: { readonly stdout: unknown; readonly stderr: unknown } | null;
}

export interface LiveRecord {
  readonly node: string;
  readonly claimedAt: number;
  startedAt: number | null;
  expiresAt: number | null;
  readonly call: string | null;
  /** What it counts for in the queue's keyed limits. */
  limitKeys: readonly string[];
}

export interface EndedRecord extends Omit<LiveRecord, 'call' | 'limitKeys'> {
  readonly fence: number;
  readonly endedAt: number;
  readonly outcome: AttemptOutcome;
  readonly data: string;
  readonly error: string | null;
  readonly code: number | null;
  late: { readonly outcome: AttemptOutcome; readonly data: string; readonly at: number } | null;
}

export function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function toKey(key: string | null): TaskKey | null {
  return key === null ? null : fromKeyBytes(Uint8Array.from(Buffer.from(key, 'hex')));
}

export function toTask(task: TaskRecord): Task {
  const { live } = task;
  return {
    id: task.id,
    namespace: task.queue.namespace,
    queueId: task.queue.id,
    queue: task.queue.name,
    state: task.state,
    key: toKey(task.key),
    params: task.params,
    result: JSON.parse(task.result),
    error: task.error,
    code: task.code,
    priority: task.priority,
    notBefore: toDate(task.notBefore),
    labels: task.labels,
    hold: task.hold,
    external: task.external,
    attempt: live && {
      fence: task.fence,
      node: live.node,
      claimedAt: new Date(live.claimedAt),
      startedAt: toDate(live.startedAt),
      expiresAt: toDate(live.expiresAt),
    },
    fence: task.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    lossCount: task.lossCount,
    roundCount: task.roundCount,
    lastOutcome: task.lastOutcome,
    cancelRequestedAt: toDate(task.cancelRequestedAt),
    createdAt: new Date(task.createdAt),
    updatedAt: new Date(task.updatedAt),
    endedAt: toDate(task.endedAt),
  };
}

function attemptOf(task: TaskRecord, attempt: LiveRecord | EndedRecord) {
  return {
    taskId: task.id,
    queue: task.queue.name,
    key: toKey(task.key),
    node: attempt.node,
    claimedAt: new Date(attempt.claimedAt),
    startedAt: toDate(attempt.startedAt),
    expiresAt: toDate(attempt.expiresAt),
  };
}

export function toLiveAttempt(task: TaskRecord, live: LiveRecord): Attempt {
  return {
    ...attemptOf(task, live),
    fence: task.fence,
    endedAt: null,
    outcome: null,
    data: JSON.parse(task.result),
    error: null,
    code: null,
    late: null,
  };
}

export function toEndedAttempt(task: TaskRecord, ended: EndedRecord): Attempt {
  const { fence, outcome, error, code, late } = ended;
  return {
    ...attemptOf(task, ended),
    fence,
    endedAt: new Date(ended.endedAt),
    outcome,
    data: JSON.parse(ended.data),
    error,
    code,
    late: late && { ...late, data: JSON.parse(late.data), at: new Date(late.at) },
  };
}

/** Only for tasks that are held by a node; an external one's attempt was never claimed. */
export function toClaim(task: TaskRecord, live: LiveRecord): Claim {
  return {
    taskId: task.id,
    queueId: task.queue.id,
    queue: task.queue.name,
    key: toKey(task.key),
    params: task.params,
    priority: task.priority,
    labels: task.labels,
    fence: task.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    roundCount: task.roundCount,
    claimedAt: new Date(live.claimedAt),
    expiresAt: new Date(live.expiresAt ?? live.claimedAt),
  };
}
