/** What the holder of a live attempt says before its end: that it starts, and that it goes on. */
import type { AttemptRef, HoldAnswer, RenewItem } from '../../core/store/index.ts';
import { CLAIMED } from './codes.ts';
import type { TaskRow } from './rows.ts';
import { lockTasksIn } from './task-rows.ts';
import { lose, startAttempt } from './transitions.ts';
import { toDate, toText } from './values.ts';
import { isHeldBy, markChanged, type Work } from './work.ts';

export function startAttempts(
  work: Work,
  namespace: string,
  items: readonly AttemptRef[],
): Promise<HoldAnswer[]> {
  return eachLive(work, namespace, items, (task) => {
    if (task.state === CLAIMED && task.cancelRequestedAt === null) startAttempt(work, task);
    return toHeld(task);
  });
}

export function renewAttempts(
  work: Work,
  namespace: string,
  items: readonly RenewItem[],
): Promise<HoldAnswer[]> {
  const { now } = work;
  return eachLive(work, namespace, items, (task, { leaseMs, data }) => {
    if (data !== undefined) {
      task.result = toText(data);
      task.updatedAt = now;
      markChanged(work, task);
    }
    if (leaseMs <= 0) return giveUp(work, task);
    if (task.expiresAt !== null) {
      task.expiresAt = now + leaseMs;
      markChanged(work, task);
    }
    return toHeld(task);
  });
}

/** As if the lease had run out. */
function giveUp(work: Work, task: TaskRow): HoldAnswer {
  const { id: taskId, fence } = task;
  lose(work, task);
  return { taskId, fence, status: 'lost', expiresAt: null };
}

async function eachLive<Item extends AttemptRef>(
  work: Work,
  namespace: string,
  items: readonly Item[],
  act: (task: TaskRow, item: Item) => HoldAnswer,
): Promise<HoldAnswer[]> {
  const ids = items.map(({ taskId }) => taskId);
  const tasks = await lockTasksIn(work, namespace, ids);
  return items.map((item) => {
    const { taskId, fence } = item;
    const task = tasks.get(taskId);
    if (task && isHeldBy(task, fence)) return act(task, item);
    return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
  });
}

function toHeld({ id, fence, cancelRequestedAt, expiresAt }: TaskRow): HoldAnswer {
  const status = cancelRequestedAt === null ? 'held' : 'cancelled';
  return { taskId: id, fence, status, expiresAt: toDate(expiresAt) };
}
