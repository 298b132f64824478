/** Emitted tasks: written on the task that emits them, in the write that ends it, then carried out. */
import type { NewTask } from '../../core/store/index.ts';
import { toDocumentId } from './ids.ts';
import { dropEmissions, readEmissions } from './large-emission.ts';
import { fromPending, type PendingTask } from './pending-task.ts';
import { findTasks } from './queue-lookup.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { addTasks } from './submission.ts';
import type { TaskRecord } from './task-record.ts';
import { createWork, type Work } from './transitions.ts';

/**
 * Carries out what a task has emitted, then takes it off the task. Safe to run again and by
 * several at once: a task that is there, or was replaced by this emission, stays as it is.
 */
export async function rollForward(
  session: Session,
  { space, taskId }: { readonly space: Space; readonly taskId: string },
  work: Work,
): Promise<void> {
  const task = (await findTasks(space, [taskId])).get(taskId);
  if (!task || task.pending.length === 0) return;
  const { pending, pendingAt } = task;
  const mine = pendingAt === null ? work : { ...createWork(pendingAt), changes: work.changes };
  await addPending(session, { space, texts: readEmissions(space, pending) }, mine);
  await clearPending(space, task, pending);
  await dropEmissions(space, pending);
}

const AT_ONCE = 500;

/** In their order, as many at a time as go to one queue in one way. */
export async function addPending(
  session: Session,
  { space, texts }: { space: Space; texts: AsyncIterable<string> | Iterable<string> },
  work: Work,
): Promise<void> {
  let some: PendingTask[] = [];
  const flush = async () => {
    const [first] = some;
    if (first) await addSome(session, { space, first, tasks: some.map(({ task }) => task) }, work);
    some = [];
  };
  for await (const text of texts) {
    const next = fromPending(text);
    const [first] = some;
    const isAlike = first?.queueId === next.queueId && first.onConflict === next.onConflict;
    if (!isAlike || some.length >= AT_ONCE) await flush();
    some.push(next);
  }
  await flush();
}

/** Into a queue that is gone, or of another namespace, nothing goes. */
async function addSome(
  session: Session,
  { space, first, tasks }: { space: Space; first: PendingTask; tasks: readonly NewTask[] },
  work: Work,
): Promise<void> {
  const found = await session.directory.find(first.queueId);
  if (found?.space !== space || found.queue.gone !== null) return;
  const { onConflict } = first;
  await addTasks(session, { space, queue: found.queue, tasks, onConflict, isNoted: true }, work);
}

async function clearPending(
  { tasks }: Space,
  { id }: TaskRecord,
  pending: readonly string[],
): Promise<void> {
  const _id = toDocumentId(id);
  const texts = pending as string[];
  await tasks.updateOne({ _id }, { $pull: { 'batchyard.pending': { $in: texts } } } as object);
  const empty = { _id, 'batchyard.pending': { $size: 0 } } as object;
  await tasks.updateOne(empty, { $unset: { 'batchyard.pending': '', 'batchyard.pendingAt': '' } });
}
