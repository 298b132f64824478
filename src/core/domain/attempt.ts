import type { QueueId, TaskId } from './ids.ts';
import type { Json } from './json.ts';
import type { TaskKey } from './key.ts';

/**
 * How an attempt ended. `orphaned`: its lease ran out. `released`: handed back,
 * not counted. `continued`: it asked to go on later (`again`). `cancelled`: it was
 * stopped on request.
 */
export const ATTEMPT_OUTCOMES = [
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'orphaned',
  'released',
  'continued',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What an attempt said after it had ended; written once, changes nothing else. */
export interface LateWord {
  readonly outcome: AttemptOutcome;
  readonly data: Json;
  readonly at: Date;
}

/** One try at a task: one lease given to one node, named by the task and its fence. */
export interface Attempt {
  readonly taskId: TaskId;
  readonly queue: string;
  readonly key: TaskKey | null;
  readonly fence: number;
  readonly node: string;
  readonly claimedAt: Date;
  readonly startedAt: Date | null;
  readonly expiresAt: Date | null;
  /** null while it lives. */
  readonly endedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly data: Json;
  readonly error: string | null;
  readonly code: number | null;
  readonly late: LateWord | null;
}

/** A task as its claimer gets it: all that is needed to run it, and the fence that proves the claim. */
export interface Claim {
  readonly taskId: TaskId;
  readonly queueId: QueueId;
  readonly queue: string;
  readonly key: TaskKey | null;
  readonly params: Json;
  readonly priority: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly fence: number;
  /** Which claim of this task it is, from 1. */
  readonly claimCount: number;
  readonly tryCount: number;
  readonly roundCount: number;
  readonly claimedAt: Date;
  readonly expiresAt: Date;
}
