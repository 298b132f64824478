import type { AttemptRef, HoldAnswer, RenewItem } from '../../core/store/index.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import { type LiveRecord, type TaskRecord, toDate } from './task-record.ts';
import { changeTasks } from './task-saving.ts';
import { lose, startAttempt, type Work } from './transitions.ts';

interface Held {
  readonly task: TaskRecord;
  readonly live: LiveRecord;
}

export function startAttempts(
  session: Session,
  { namespace, items }: { namespace: string; items: readonly AttemptRef[] },
  work: Work,
): Promise<HoldAnswer[]> {
  return holdEach(session, { namespace, items }, ({ task, live }) => {
    if (task.cancelRequestedAt === null) startAttempt(work, task, live);
    return heldAnswer({ task, live });
  });
}

export async function renewAttempts(
  session: Session,
  { namespace, items }: { namespace: string; items: readonly RenewItem[] },
  work: Work,
): Promise<HoldAnswer[]> {
  const answers = await holdEach(session, { namespace, items }, (held, item) =>
    renew(work, held, item),
  );
  await addStarts(session.spaces.get(namespace), work);
  return answers;
}

function holdEach<Item extends AttemptRef>(
  session: Session,
  { namespace, items }: { namespace: string; items: readonly Item[] },
  act: (held: Held, item: Item) => HoldAnswer,
): Promise<HoldAnswer[]> {
  const ids = items.map(({ taskId }) => taskId);
  return changeTasks(session.spaces.get(namespace), ids, {
    write: session.newToken(),
    act(task, at) {
      const item = items[at] as Item;
      const { taskId, fence } = item;
      const live = task?.live;
      if (task && live && (fence === null || task.fence === fence))
        return act({ task, live }, item);
      return { taskId, fence: fence ?? 0, status: 'lost', expiresAt: null };
    },
  });
}

function heldAnswer({ task, live }: Held): HoldAnswer {
  const { id, fence, cancelRequestedAt } = task;
  const status = cancelRequestedAt === null ? 'held' : 'cancelled';
  return { taskId: id, fence, status, expiresAt: toDate(live.expiresAt) };
}

function renew(work: Work, { task, live }: Held, { leaseMs, data }: RenewItem): HoldAnswer {
  if (data !== undefined) {
    task.result = JSON.stringify(data);
    task.updatedAt = work.now;
    task.renewedAt = null;
  }
  if (leaseMs <= 0) {
    const { fence } = task;
    lose(work, task);
    return { taskId: task.id, fence, status: 'lost', expiresAt: null };
  }
  if (live.expiresAt !== null) {
    live.expiresAt = work.now + leaseMs;
    // A Disbatch node gives up a claimed task whose mtime is five minutes old.
    if (task.state === 'claimed') task.renewedAt = work.now;
  }
  return heldAnswer({ task, live });
}
