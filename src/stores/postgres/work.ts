/**
 * The work of one transaction: rows are read and locked, changed in memory by transitions.ts, and
 * written all at once at the end, whatever their number. Counters are written last, so that a
 * transaction that holds one waits for nobody.
 */

import { createNotes, type Notes } from './changes.ts';
import { isLiveCode, STATES } from './codes.ts';
import type { Transaction } from './database.ts';
import type { QueueEntry } from './queue-entry.ts';
import type { TaskRow } from './rows.ts';

export interface EndedAttempt {
  readonly task: string;
  readonly fence: number;
  readonly node: number;
  readonly claimedAt: number;
  readonly startedAt: number | null;
  readonly expiresAt: number | null;
  readonly outcome: number;
  readonly code: number | null;
  /** Quoted. */
  readonly error: string | null;
  readonly data: string | null;
}

export interface LimitStart {
  readonly queue: number;
  readonly name: string;
  readonly key: string;
  readonly until: number;
}

export interface Work {
  readonly db: Transaction;
  readonly now: number;
  readonly notes: Notes;
  /** Queues whose definition is locked, by row. */
  readonly queues: Map<number, QueueEntry>;
  /** Tasks that are locked, or new, by id. */
  readonly tasks: Map<string, TaskRow>;
  readonly added: Set<TaskRow>;
  readonly changed: Set<TaskRow>;
  readonly ended: EndedAttempt[];
  readonly starts: LimitStart[];
  /** Differences by queue and state. */
  readonly counts: Map<number, number[]>;
}

export function createWork(db: Transaction, now: number): Work {
  return {
    db,
    now,
    notes: createNotes(),
    queues: new Map(),
    tasks: new Map(),
    added: new Set(),
    changed: new Set(),
    ended: [],
    starts: [],
    counts: new Map(),
  };
}

export function entryOf({ queues }: Work, { queue }: Pick<TaskRow, 'queue'>): QueueEntry {
  const entry = queues.get(queue);
  if (!entry) throw new Error(`The definition of queue ${queue} was not read.`);
  return entry;
}

/** Counts a task from one state to another; null is outside. */
export function countMove(
  { counts }: Work,
  queue: number,
  from: number | null,
  to: number | null,
): void {
  let differences = counts.get(queue);
  if (!differences) {
    differences = Array(STATES.length).fill(0);
    counts.set(queue, differences);
  }
  if (from !== null) differences[from] = (differences[from] ?? 0) - 1;
  if (to !== null) differences[to] = (differences[to] ?? 0) + 1;
}

export function placeOf({ queue }: QueueEntry): { namespace: string; queueId: string } {
  return { namespace: queue.namespace, queueId: queue.id };
}

/** The task will be written with what it says by then. */
export function markChanged({ added, changed }: Work, task: TaskRow): void {
  if (!added.has(task)) changed.add(task);
}

export const isHeldBy = (task: TaskRow, fence: number | null): boolean =>
  isLiveCode(task.state) && (fence === null || fence === task.fence);
