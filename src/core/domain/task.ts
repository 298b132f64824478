/**
 * A task is one piece of work in a queue; each try at it is an attempt.
 * docs/state-machines.md draws TASK_MOVES, and a test keeps the two equal.
 */
import type { AttemptOutcome } from './attempt.ts';
import type { QueueId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { TaskKey } from './key.ts';

/**
 * Every state, and where it may go next. `delayed` is queued with `notBefore`
 * ahead. The last five are final: only an operator, a new submission of the same
 * key, or a late success leads out of them. An external task runs where another would be queued.
 */
export const TASK_MOVES = {
  queued: ['delayed', 'held', 'claimed', 'running', 'failed', 'cancelled'],
  delayed: ['queued', 'held', 'claimed', 'running', 'cancelled'],
  held: ['queued', 'delayed', 'claimed', 'running', 'cancelled'],
  claimed: [
    'queued',
    'delayed',
    'held',
    'running',
    'succeeded',
    'failed',
    'cancelled',
    'terminated',
    'orphaned',
  ],
  running: ['queued', 'delayed', 'held', 'succeeded', 'failed', 'terminated', 'orphaned'],
  succeeded: ['queued', 'delayed', 'held', 'running'],
  failed: ['queued', 'delayed', 'held', 'running', 'succeeded'],
  cancelled: ['queued', 'delayed', 'held', 'running'],
  terminated: ['queued', 'delayed', 'held', 'running'],
  orphaned: ['queued', 'delayed', 'held', 'running', 'succeeded', 'cancelled'],
} as const satisfies Record<string, readonly string[]>;

export type TaskState = keyof typeof TASK_MOVES;
export const TASK_STATES = Object.keys(TASK_MOVES) as TaskState[];
export const LIVE_STATES = ['claimed', 'running'] as const satisfies readonly TaskState[];
export const FINAL_STATES = [
  'succeeded',
  'failed',
  'cancelled',
  'terminated',
  'orphaned',
] as const satisfies readonly TaskState[];

export type TaskCounts = Readonly<Record<TaskState, number>>;

/** Why a task is held: an operator said so, it killed its nodes, or its gated queue has not admitted it. */
export const HOLD_REASONS = ['operator', 'quarantined', 'admission'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/** The attempt that holds the task now. */
export interface LiveAttempt {
  readonly fence: number;
  readonly node: string;
  readonly claimedAt: Date;
  readonly startedAt: Date | null;
  /** null for external tasks, whose end is told by a call. */
  readonly expiresAt: Date | null;
}

export interface Task {
  readonly id: TaskId;
  readonly namespace: string;
  readonly queueId: QueueId;
  readonly queue: string;
  readonly state: TaskState;
  readonly key: TaskKey | null;
  readonly params: Json;
  /** What the live or last attempt reported; null after a requeue. */
  readonly result: Json;
  /** Why the last attempt failed, in words. */
  readonly error: string | null;
  /** The integer the last attempt ended with: an exit code, or a Disbatch plugin's status. */
  readonly code: number | null;
  /** Higher runs sooner within the queue. */
  readonly priority: number;
  readonly notBefore: Date | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly hold: HoldReason | null;
  /** Runs without a process of ours and is ended by a call. */
  readonly external: boolean;
  readonly attempt: LiveAttempt | null;
  /** The last fence given out; a write with a lower one is stale. */
  readonly fence: number;
  /** Attempts ever begun · ended and counted towards maxAttempts · lost with their node · continuations. */
  readonly claimCount: number;
  readonly tryCount: number;
  readonly lossCount: number;
  readonly roundCount: number;
  /** How the last ended attempt ended. */
  readonly lastOutcome: AttemptOutcome | null;
  readonly cancelRequestedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
}

export function canMove(from: TaskState, to: TaskState): boolean {
  return (TASK_MOVES[from] as readonly TaskState[]).includes(to);
}

export function isFinal(state: TaskState): boolean {
  return (FINAL_STATES as readonly TaskState[]).includes(state);
}

export function isLive(state: TaskState): boolean {
  return state === 'claimed' || state === 'running';
}

export function noCounts(): Record<TaskState, number> {
  return Object.fromEntries(TASK_STATES.map((state) => [state, 0])) as Record<TaskState, number>;
}

/**
 * What operators may do by hand, and where it leads from each state. `request`
 * asks the node to stop; a state that is not listed refuses. `waiting` is queued,
 * delayed or (in a gated queue) held for admission, as the task's own fields say.
 */
export const OPERATOR_MOVES = {
  cancel: {
    queued: 'cancelled',
    delayed: 'cancelled',
    held: 'cancelled',
    claimed: 'cancelled',
    running: 'request',
    orphaned: 'cancelled',
  },
  retry: {
    delayed: 'waiting',
    succeeded: 'waiting',
    failed: 'waiting',
    cancelled: 'waiting',
    terminated: 'waiting',
    orphaned: 'waiting',
  },
  hold: { queued: 'held', delayed: 'held', held: 'held' },
  release: { held: 'waiting' },
} as const satisfies Record<string, Partial<Record<TaskState, TaskState | 'waiting' | 'request'>>>;

export type OperatorMove = keyof typeof OPERATOR_MOVES;
