import type { Attempt } from '../domain/attempt.ts';
import type { Queue } from '../domain/queue.ts';
import { isLive, type LiveAttempt, type Task } from '../domain/task.ts';
import { waitingPlace } from '../rules/waiting-place.ts';
import type { ArchivedTask } from '../store/archive-store.ts';

/** So far above the source's fences that nobody who held a lease there can write here. */
export const FENCE_GAP = 1_000_000;

/**
 * A task as it is put into another store. One that was live waits again, or has terminated when
 * it was asked to cancel; its attempt ended as `orphaned`, uncounted, when it last gave word.
 */
export function toRestored(
  archived: ArchivedTask,
  queue: Pick<Queue, 'admission'>,
  now: Date,
): ArchivedTask {
  const fence = archived.task.fence + FENCE_GAP;
  const { task, attempts } = archived;
  if (!isLive(task.state) || task.attempt === null) {
    return { ...archived, task: { ...task, fence } };
  }
  const ended: Task = {
    ...task,
    attempt: null,
    fence,
    error: null,
    code: null,
    lastOutcome: 'orphaned',
  };
  return {
    ...archived,
    task: toStopped(ended, queue, now),
    attempts: [...attempts, toOrphaned(task, task.attempt)],
  };
}

function toStopped(task: Task, queue: Pick<Queue, 'admission'>, now: Date): Task {
  if (task.cancelRequestedAt !== null) {
    return { ...task, state: 'terminated', endedAt: task.updatedAt };
  }
  return { ...task, ...waitingPlace(queue, task.notBefore, now), result: null };
}

function toOrphaned(task: Task, live: LiveAttempt): Attempt {
  return {
    taskId: task.id,
    queue: task.queue,
    key: task.key,
    ...live,
    endedAt: task.updatedAt,
    outcome: 'orphaned',
    data: task.result,
    error: null,
    code: null,
    late: null,
  };
}
