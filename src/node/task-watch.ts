import type { Clock } from '../core/index.ts';
import { createDueTimer } from './due-timer.ts';
import type { HeldTask } from './held-task.ts';

/** One timer over all held tasks: who ran too long, who did not heed its stop, who waits too long for a slot. */
export interface TaskWatch extends Disposable {
  /** Looks at that instant at the latest. */
  want(atMs: number): void;
}

export interface TaskWatchOptions {
  readonly held: ReadonlySet<HeldTask>;
  readonly clock: Clock;
  onOverdue(task: HeldTask): void;
  onUnheeded(task: HeldTask): void;
  /** Tasks taken ahead that should rather run elsewhere. */
  onStuck(tasks: readonly HeldTask[]): void;
}

/** Taken ahead means "for the next moments": what waits longer is handed back. */
export const LONGEST_IN_LINE_MS = 500;

export function createTaskWatch(options: TaskWatchOptions): TaskWatch {
  const { held, clock } = options;
  const look = (nowMs: number): void => {
    const stuck: HeldTask[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const task of held) {
      if (task.phase === 'waiting') {
        const stuckMs = task.takenMs + LONGEST_IN_LINE_MS;
        if (stuckMs <= nowMs) stuck.push(task);
        else nextMs = Math.min(nextMs, stuckMs);
      } else if (task.phase === 'running') {
        if (task.stopped === null && task.deadlineMs <= nowMs) options.onOverdue(task);
        if (task.abandonMs <= nowMs) options.onUnheeded(task);
        else nextMs = Math.min(nextMs, task.abandonMs);
        if (task.stopped === null) nextMs = Math.min(nextMs, task.deadlineMs);
      }
    }
    if (stuck.length > 0) options.onStuck(stuck);
    if (nextMs < Number.POSITIVE_INFINITY) timer.want(nextMs);
  };
  const timer = createDueTimer(clock, look);
  return timer;
}
