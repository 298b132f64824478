import type { TaskState } from '../../core/store/index.ts';

/** Disbatch's integers; -7 is ours: no Disbatch program claims a task that has it. */
const CODES = {
  delayed: -7,
  orphaned: -6,
  cancelled: -5,
  held: -4,
  terminated: -3,
  queued: -2,
  claimed: -1,
  running: 0,
  succeeded: 1,
  failed: 2,
} as const satisfies Record<TaskState, number>;

export const QUEUED = CODES.queued;
export const LIVE: readonly number[] = [CODES.claimed, CODES.running];

const STATES = new Map<number, TaskState>(
  Object.entries(CODES).map(([state, code]) => [code, state as TaskState]),
);

/** Any other negative number keeps a task from being claimed; any other positive one is a failure. */
export function fromStatus(status: unknown): TaskState {
  const code = Number(status);
  return STATES.get(code) ?? (code > 2 ? 'failed' : 'held');
}

const MOST = 2 ** 31 - 1;

/** The integer for a state: a failed task shows its own code where that says failure too. */
export function toStatus(state: TaskState, code: number | null): number {
  const isOwnCode = state === 'failed' && Number.isInteger(code) && (code ?? 0) > 2;
  return isOwnCode && (code ?? 0) <= MOST ? (code ?? 2) : CODES[state];
}

/** What a filter by states is in terms of statuses. */
export function statusFilter(states: readonly TaskState[]): object {
  const codes = states.map((state) => CODES[state]);
  const ranges: object[] = [{ status: { $in: codes } }];
  if (states.includes('failed')) ranges.push({ status: { $gt: CODES.failed } });
  if (states.includes('held')) ranges.push({ status: { $lt: CODES.delayed } });
  return ranges.length === 1 ? (ranges[0] ?? {}) : { $or: ranges };
}
