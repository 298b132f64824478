/** Valid values for tests: a test says only what matters to it. */
import { NODE_REPORT_DEFAULTS, type NodeReport } from '../../src/core/domain/node.ts';
import type { AccessToken } from '../../src/core/domain/principal.ts';
import { QUEUE_DEFAULTS } from '../../src/core/domain/queue.ts';
import { rankOf } from '../../src/core/rules/rank.ts';
import type {
  AttemptOutcome,
  AttemptRef,
  ClaimStep,
  ClaimTaskStep,
  Emission,
  Mutation,
  NewQueue,
  NewTask,
  Next,
  NodeBeat,
  QueueId,
  QueueOrder,
  Settlement,
  TaskId,
} from '../../src/core/store/index.ts';

export const NOON = new Date('2026-03-01T12:00:00.000Z');

export function seconds(count: number): number {
  return count * 1000;
}

export function minutes(count: number): number {
  return seconds(count * 60);
}

export function hours(count: number): number {
  return minutes(count * 60);
}

export function after(date: Date, ms: number): Date {
  return new Date(date.getTime() + ms);
}

export function bytes(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

export function textBytes(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'utf8'));
}

let idCount = 0;

/** Ids that sort by creation, the same in every run. */
export function anId(): string {
  idCount += 1;
  return `69a42bc0${idCount.toString(16).padStart(16, '0')}`;
}

/** A step at an instant; with a key, one that may be repeated. */
export function at(now: Date, key?: string, fingerprint = 'same request'): Mutation {
  return key === undefined ? { now } : { now, once: { key, fingerprint } };
}

/** `order` says how the default rank is made. */
export function aNewTask(overrides: Partial<NewTask> = {}, order: QueueOrder = 'fifo'): NewTask {
  const id = overrides.id ?? anId();
  const key = overrides.key ?? null;
  return {
    id,
    key,
    params: {},
    priority: 0,
    notBefore: null,
    delayMs: null,
    labels: {},
    hold: null,
    external: false,
    rank: rankOf(order, id, key),
    unique: null,
    ...overrides,
  };
}

export function aKeyedTask(key: string, overrides: Partial<NewTask> = {}): NewTask {
  return aNewTask({ ...overrides, key: textBytes(key) });
}

/** Never quarantined and never out of tries, unless said otherwise. */
export function aNewQueue(overrides: Partial<NewQueue> = {}): NewQueue {
  const id = overrides.id ?? anId();
  return {
    ...QUEUE_DEFAULTS,
    maxAttempts: null,
    maxLosses: null,
    id,
    namespace: 'default',
    name: `queue-${id.slice(-6)}`,
    ...overrides,
  };
}

/** Takes up to `limit` from `queueId`, or as `picks` say. */
export function aClaim(overrides: Partial<ClaimStep> & { queueId?: QueueId } = {}): ClaimStep {
  const { queueId, ...rest } = overrides;
  const limit = rest.limit ?? 1;
  return {
    namespace: 'default',
    node: 'node-1',
    token: null,
    picks: queueId === undefined ? [] : [{ queueId, count: limit }],
    limit,
    start: true,
    leaseMs: null,
    ...rest,
  };
}

export function aTaskClaim(taskId: TaskId, overrides: Partial<ClaimTaskStep> = {}): ClaimTaskStep {
  return {
    namespace: 'default',
    taskId,
    node: 'node-1',
    start: true,
    leaseMs: null,
    force: false,
    assignedVersion: null,
    ...overrides,
  };
}

export function goTo(state: Next['state'], overrides: Partial<Next> = {}): Next {
  return { state, delayMs: 0, hold: null, ...overrides };
}

const USUAL_END: Record<AttemptOutcome, Next['state']> = {
  succeeded: 'succeeded',
  failed: 'failed',
  'timed-out': 'failed',
  cancelled: 'terminated',
  orphaned: 'orphaned',
  released: 'queued',
  continued: 'queued',
};

/** Success, unless said otherwise; where the task goes follows from the outcome. */
export function aSettlement(ref: AttemptRef, overrides: Partial<Settlement> = {}): Settlement {
  const outcome = overrides.outcome ?? 'succeeded';
  return {
    taskId: ref.taskId,
    fence: ref.fence,
    outcome,
    next: goTo(USUAL_END[outcome]),
    counted: outcome !== 'released' && outcome !== 'continued',
    error: null,
    code: null,
    emit: [],
    again: null,
    ...overrides,
  };
}

export function anEmission(queueId: QueueId, overrides: Partial<Emission> = {}): Emission {
  return { queueId, task: aNewTask(), onConflict: 'replace', ...overrides };
}

export function aBeat(
  overrides: Partial<Omit<NodeBeat, 'report'>> & { report?: Partial<NodeReport> } = {},
): NodeBeat {
  const { report, ...rest } = overrides;
  return {
    id: anId(),
    name: 'node-1',
    ttlMs: seconds(30),
    report: { ...NODE_REPORT_DEFAULTS, ...report },
    ...rest,
  };
}

export function anAccessToken(overrides: Partial<AccessToken> = {}): AccessToken {
  return {
    id: anId(),
    name: 'token-1',
    role: 'operator',
    namespaces: null,
    createdAt: NOON,
    expiresAt: null,
    ...overrides,
  };
}
