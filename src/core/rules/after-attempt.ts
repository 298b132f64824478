/** What becomes of a task when its holder says how the attempt ended. */
import type { AttemptOutcome } from '../domain/attempt.ts';
import type { Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import type { SettleRequest } from '../engine/attempt-operations.ts';
import type { Random } from '../random.ts';
import type { Next } from '../store/attempt-store.ts';
import { afterLoss } from './after-loss.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface Consequence {
  readonly outcome: AttemptOutcome;
  readonly next: Next;
  readonly counted: boolean;
}

export interface SettledTask {
  readonly task: Pick<Task, 'tryCount' | 'lossCount' | 'cancelRequestedAt' | 'attempt'>;
  readonly queue: Pick<Queue, 'maxAttempts' | 'retry' | 'onLost' | 'maxLosses'>;
}

const end = (state: Next['state']): Next => ({ state, delayMs: 0, hold: null });
const wait = (delayMs: number): Next => ({ state: 'queued', delayMs, hold: null });

/** A plain success needs nothing from the store: its consequence is always the same. */
export const SUCCESS: Consequence = { outcome: 'succeeded', next: end('succeeded'), counted: true };

export function afterAttempt(
  request: SettleRequest,
  { task, queue }: SettledTask,
  random: Random,
): Consequence {
  const { outcome, delayMs } = request;
  switch (outcome) {
    case 'succeeded':
      if (!request.again) return SUCCESS;
      return { outcome: 'continued', next: wait(request.again.delayMs ?? 0), counted: false };
    case 'cancelled': {
      const begun = task.attempt === null || task.attempt.startedAt !== null;
      return { outcome, next: end(begun ? 'terminated' : 'cancelled'), counted: true };
    }
    case 'released':
      return { outcome, next: wait(delayMs ?? 0), counted: false };
    case 'orphaned':
      return { outcome, next: afterLoss(task, queue), counted: true };
    case 'failed':
    case 'timed-out': {
      const tries = task.tryCount + 1;
      const over = request.final || (queue.maxAttempts !== null && tries >= queue.maxAttempts);
      const next = over ? end('failed') : wait(delayMs ?? retryDelayMs(queue.retry, tries, random));
      return { outcome, next, counted: true };
    }
  }
}
