/** Leases that ran out and delays that are over. */
import { hiddenQueueIds } from './hidden-queues.ts';
import { toRecords } from './queue-lookup.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';
import type { TaskRecord } from './task-record.ts';
import { changeTasks } from './task-saving.ts';
import { dueAt, letWait, lose, type Work } from './transitions.ts';

export interface Rolled {
  expired: number;
  readied: number;
}

interface DueTask {
  readonly space: Space;
  readonly id: string;
  readonly at: number;
  readonly isLease: boolean;
}

/**
 * Ends and readies what is due, the earliest first, at most `limit` of each. Calls of one process
 * take turns where there is something to do, so that each has its own.
 */
export async function rollDue(session: Session, work: Work, limit: number): Promise<Rolled> {
  const found = await findAllDue(session, work, limit);
  if (found.length === 0) return { expired: 0, readied: 0 };
  return session.locks.holdLocally('due', async () =>
    rollAll(session, work, { found: await findAllDue(session, work, limit), limit }),
  );
}

async function findAllDue({ spaces }: Session, { now }: Work, limit: number): Promise<DueTask[]> {
  const all = await spaces.all();
  return (await Promise.all(all.map((space) => findDue(space, now, limit)))).flat();
}

async function rollAll(
  session: Session,
  work: Work,
  { found, limit }: { readonly found: DueTask[]; readonly limit: number },
): Promise<Rolled> {
  found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const leases = found.filter(({ isLease }) => isLease).slice(0, limit);
  const delays = found.filter(({ isLease }) => !isLease).slice(0, limit);
  const rolled: Rolled = { expired: 0, readied: 0 };
  for (const space of new Set(found.map((one) => one.space))) {
    const mine = (some: readonly DueTask[]) =>
      some.filter((one) => one.space === space).map(({ id }) => id);
    rolled.expired += await rollTasks(session, { space, ids: mine(leases), work }, lose);
    rolled.readied += await rollTasks(session, { space, ids: mine(delays), work }, letWait);
  }
  return rolled;
}

async function findDue(space: Space, now: number, limit: number): Promise<DueTask[]> {
  const due = { 'batchyard.due': { $lte: new Date(now) } };
  const read = (filter: object, most: number) =>
    space.tasks.find(filter).sort({ 'batchyard.due': 1 }).limit(most).toArray();
  let documents = await read(due, 2 * limit);
  if (documents.length === 2 * limit) {
    // So many that one kind might hide the other.
    const live = { status: { $in: LIVE } };
    const kinds = [live, { status: { $nin: LIVE } }].map((kind) =>
      read({ ...due, ...kind }, limit),
    );
    documents = (await Promise.all(kinds)).flat();
  }
  if (documents.length === 0) return [];
  const records = await toRecords(space, documents);
  return records.flatMap((record) => {
    const at = dueAt(record);
    const { id, live } = record;
    return at === null || at <= now ? [{ space, id, at: at ?? 0, isLease: live !== null }] : [];
  });
}

interface Rolling {
  readonly space: Space;
  readonly ids: readonly string[];
  readonly work: Work;
}

async function rollTasks(
  session: Session,
  { space, ids, work }: Rolling,
  roll: (work: Work, task: TaskRecord) => void,
): Promise<number> {
  if (ids.length === 0) return 0;
  const done = await changeTasks(space, ids, {
    write: session.newToken(),
    act(task) {
      const at = task && dueAt(task);
      // One whose document another program changed is only written back without its due time.
      const isDue =
        task && at !== null && at <= work.now && (task.live !== null) === (roll === lose);
      if (!isDue) return false;
      roll(work, task);
      return true;
    },
  });
  await addStarts(space, work);
  return done.filter(Boolean).length;
}

/** The earliest instant at which something is due in the namespace. */
export async function findNextDue(space: Space): Promise<Date | null> {
  const hidden = await hiddenQueueIds(space);
  const filter = { 'batchyard.due': { $exists: true }, queue: { $nin: hidden } };
  const documents = space.tasks.find(filter).sort({ 'batchyard.due': 1 });
  for await (const document of documents) {
    const [record] = await toRecords(space, [document]);
    const at = record ? dueAt(record) : null;
    if (at !== null) return new Date(at);
  }
  return null;
}
