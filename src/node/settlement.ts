import type { SettleRequest } from '../core/index.ts';
import type { HeldTask } from './held-task.ts';
import type { RunEnd } from './runners/runner.ts';

/** The words that end an attempt. Why it was told to stop comes before what its run says. */
export function toSettlement(task: HeldTask, end: RunEnd): SettleRequest {
  const { taskId, fence } = task.claim;
  const { stopped } = task;
  if (stopped === null || stopped === 'lost') {
    const { outcome, output = task.report, error, code, final, delayMs, emit, again } = end;
    return { taskId, fence, outcome, output, error, code, final, delayMs, emit, again };
  }
  const error = stopError(task, end);
  return { taskId, fence, outcome: stopped, output: task.report, error, code: end.code };
}

function stopError({ stopped, queue }: HeldTask, { error }: RunEnd): string | null {
  if (stopped === 'released') return null;
  const reason =
    stopped === 'timed-out'
      ? `Stopped: it ran longer than the queue’s ${queue.maxRunMs} ms.`
      : 'Stopped on request.';
  return error ? `${reason} ${error}` : reason;
}
