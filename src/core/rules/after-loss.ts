import type { Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import type { Next } from '../store/attempt-store.ts';

type LostTask = Pick<Task, 'tryCount' | 'lossCount' | 'cancelRequestedAt'>;
type LossPolicy = Pick<Queue, 'onLost' | 'maxLosses' | 'maxAttempts'>;

/** What becomes of a task whose lease ran out. Its counters are those before this loss. */
export function afterLoss(task: LostTask, queue: LossPolicy): Next {
  if (task.cancelRequestedAt !== null) return { state: 'terminated', delayMs: 0, hold: null };
  if (queue.onLost === 'park') return { state: 'orphaned', delayMs: 0, hold: null };
  if (queue.onLost === 'fail') return { state: 'failed', delayMs: 0, hold: null };
  if (queue.maxLosses !== null && task.lossCount + 1 >= queue.maxLosses) {
    return { state: 'held', delayMs: 0, hold: 'quarantined' };
  }
  if (queue.maxAttempts !== null && task.tryCount + 1 >= queue.maxAttempts) {
    return { state: 'failed', delayMs: 0, hold: null };
  }
  return { state: 'queued', delayMs: 0, hold: null };
}
