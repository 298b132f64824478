/**
 * What the simulation believes the store holds. Built only from the requests and answers
 * that pass by, by the words of the contract; it shares no code with any store.
 */
import type { AttemptOutcome } from '../../../src/core/domain/attempt.ts';
import type { NodeWish } from '../../../src/core/domain/node.ts';
import type { QueueSettings } from '../../../src/core/domain/queue.ts';
import type { HoldReason, TaskState } from '../../../src/core/domain/task.ts';
import { limitKeysOf } from '../../../src/core/rules/limit-keys.ts';
import type { UniqueScope } from '../../../src/core/store/task-store.ts';
import type { Sometimes } from '../sometimes.ts';
import type { Invariant } from '../violation.ts';

export interface ShadowQueue {
  readonly id: string;
  readonly name: string;
  settings: QueueSettings;
  revision: number;
  nextContinuousAt: number | null;
  /** Deleted, its tasks kept. */
  isGone: boolean;
  readonly counts: Map<TaskState, number>;
  readonly tasks: Set<ShadowTask>;
  /** Every claim ever made, for limits per time. */
  readonly claimed: { readonly limitKeys: readonly string[]; readonly atMs: number }[];
}

export interface ShadowTask {
  readonly id: string;
  readonly queue: ShadowQueue;
  readonly key: string | null;
  state: TaskState;
  hold: HoldReason | null;
  params: string;
  result: string;
  error: string | null;
  code: number | null;
  priority: number;
  notBefore: number | null;
  rank: string;
  unique: { readonly key: string; readonly scope: UniqueScope } | null;
  isExternal: boolean;
  live: ShadowAttempt | null;
  readonly ended: Map<number, ShadowEnd>;
  fence: number;
  claimCount: number;
  tryCount: number;
  lossCount: number;
  roundCount: number;
  lastOutcome: AttemptOutcome | null;
  cancelRequestedAt: number | null;
  endedAt: number | null;
}

export interface ShadowAttempt {
  readonly fence: number;
  readonly node: string;
  readonly claimedAt: number;
  /** What it counts for in the queue's keyed limits. */
  readonly limitKeys: readonly string[];
  startedAt: number | null;
  expiresAt: number | null;
  readonly token: string | null;
}

export interface ShadowEnd {
  readonly node: string;
  readonly outcome: AttemptOutcome;
  readonly endedAt: number;
  late: AttemptOutcome | null;
}

export interface ShadowNode {
  wish: NodeWish;
  maxRunning: number | null;
  assignedVersion: number;
}

export interface ShadowLease {
  holder: string | null;
  term: number;
  expiresAt: number;
}

export interface Given {
  readonly taskId: string;
  readonly fence: number;
}

export interface ShadowToken {
  readonly until: number;
  readonly given: readonly Given[];
}

export interface Shadow {
  readonly sometimes: Sometimes;
  /** From then on, by the store's clock, what is due must be found in time. */
  promptFrom: number;
  readonly queues: Map<string, ShadowQueue>;
  readonly tasks: Map<string, ShadowTask>;
  /** Tasks that were deleted or purged, one by one or with their queue. */
  readonly gone: Set<string>;
  readonly nodes: Map<string, ShadowNode>;
  readonly leases: Map<string, ShadowLease>;
  /** By node and token. */
  readonly tokens: Map<string, ShadowToken>;
  /** Answers under idempotency keys. */
  readonly kept: Map<string, { readonly fingerprint: string; readonly answer: string }>;
  /** By origin, as params say it: a submission or emission that came into effect. */
  readonly origins: Set<string>;
  /** What the step under way changed and took away. */
  readonly touched: Set<ShadowTask>;
  readonly removed: Set<string>;
  /** Ids of tasks that the step under way must not have made, and what it means if it did. */
  readonly refused: Map<string, Invariant>;
}

export function createShadow(sometimes: Sometimes): Shadow {
  return {
    sometimes,
    promptFrom: Number.POSITIVE_INFINITY,
    queues: new Map(),
    tasks: new Map(),
    gone: new Set(),
    nodes: new Map(),
    leases: new Map(),
    tokens: new Map(),
    kept: new Map(),
    origins: new Set(),
    touched: new Set(),
    removed: new Set(),
    refused: new Map(),
  };
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function jsonOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

export function msOf(date: Date | null | undefined): number | null {
  return date?.getTime() ?? null;
}

export function findOpenQueue(shadow: Shadow, id: string): ShadowQueue | null {
  const queue = shadow.queues.get(id);
  return queue && !queue.isGone ? queue : null;
}

export function countOf(queue: ShadowQueue, ...states: readonly TaskState[]): number {
  let count = 0;
  for (const state of states) count += queue.counts.get(state) ?? 0;
  return count;
}

const FINAL: ReadonlySet<TaskState> = new Set([
  'succeeded',
  'failed',
  'cancelled',
  'terminated',
  'orphaned',
]);
const WAITING: ReadonlySet<TaskState> = new Set(['queued', 'delayed', 'held']);

export function hasEnded(task: ShadowTask): boolean {
  return FINAL.has(task.state);
}

export function doesWait(task: ShadowTask): boolean {
  return WAITING.has(task.state);
}

/** Negative: `a` is claimed before `b`. */
export function comparePlaces(a: ShadowTask, b: ShadowTask): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** What the task's params say now, for the queue's keyed limits. */
export function keysOf({ queue, params }: Pick<ShadowTask, 'queue' | 'params'>): readonly string[] {
  const { limits } = queue.settings;
  return limits.length === 0 ? [] : limitKeysOf(limits, JSON.parse(params));
}

export function describeTask(task: ShadowTask): string {
  const live = task.live ? `, fence ${task.live.fence} on ${task.live.node || '(external)'}` : '';
  return `task ${task.id} (${task.queue.name}, ${task.state}${live})`;
}
