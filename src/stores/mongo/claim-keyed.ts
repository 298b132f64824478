/** Taking tasks of a queue with limits by key: each is looked at, and passed over where its key is full. */
import type { Claim } from '../../core/store/index.ts';
import { type Taking, UNCLAIMED } from './claim-window.ts';
import { readRooms } from './keyed-rooms.ts';
import { orderOf } from './place.ts';
import { toRecords } from './queue-lookup.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import { QUEUED } from './status-codes.ts';
import type { TaskDocument } from './task-document.ts';
import { type TaskRecord, toClaim } from './task-record.ts';
import { saveTasks } from './task-saving.ts';
import { beginAttempt, createWork, keysOf, type Work } from './transitions.ts';

const AT_ONCE = 500;

/** Under the queue's lock: nobody else begins an attempt meanwhile. */
export async function takeKeyed(session: Session, taking: Taking, work: Work): Promise<Claim[]> {
  const { space, queue, count, now } = taking;
  const rooms = await readRooms(space, queue, now);
  const claims: Claim[] = [];
  for await (const records of inPlace(taking)) {
    const chosen: TaskRecord[] = [];
    for (const task of records) {
      if (claims.length + chosen.length >= count) break;
      const keys = keysOf(task);
      if (!rooms.hasRoom(keys)) continue;
      rooms.take(keys);
      chosen.push(task);
    }
    claims.push(...(await begin(session, { taking, chosen }, work)));
    if (claims.length >= count) break;
  }
  return claims;
}

async function begin(
  session: Session,
  { taking, chosen }: { readonly taking: Taking; readonly chosen: readonly TaskRecord[] },
  work: Work,
): Promise<Claim[]> {
  const { space, queue, node, start, leaseMs, call, now } = taking;
  const expiresAt = now + (leaseMs ?? queue.settings.leaseMs);
  const begun = new Map(
    chosen.map((task) => {
      const own = createWork(now);
      const live = beginAttempt(own, task, { node, start, expiresAt, call });
      return [task, { own, claim: toClaim(task, live) }];
    }),
  );
  // One that somebody changed meanwhile is left for the next claim.
  const failed = new Set(await saveTasks(space, chosen, session.newToken()));
  const claims: Claim[] = [];
  for (const [task, { own, claim }] of begun) {
    if (failed.has(task)) continue;
    work.starts.push(...own.starts);
    claims.push(claim);
  }
  await addStarts(space, work);
  return claims;
}

/** Queued tasks by place, some at a time; those of other programs first come all together. */
async function* inPlace({ space, queue }: Taking): AsyncGenerator<TaskRecord[]> {
  const queued = { queue: queue.documentId, status: QUEUED, node: UNCLAIMED };
  const known = new Map([[queue.id, queue]]);
  const theirs = await space.tasks.find({ ...queued, 'batchyard.order': null } as object).toArray();
  let foreign = byPlace(await toRecords(space, theirs, known));
  const ours = space.tasks
    .find({ ...queued, 'batchyard.order': { $gt: '' } } as object)
    .sort({ 'batchyard.order': 1 })
    .batchSize(AT_ONCE);
  for await (const documents of inGroups(ours)) {
    const records = await toRecords(space, documents, known);
    const last = records.at(-1);
    const isBefore = (task: TaskRecord) => last !== undefined && orderOf(task) < orderOf(last);
    const earlier = foreign.filter(isBefore);
    foreign = foreign.filter((task) => !isBefore(task));
    yield byPlace([...records, ...earlier]);
  }
  if (foreign.length > 0) yield foreign;
}

async function* inGroups(documents: AsyncIterable<TaskDocument>): AsyncGenerator<TaskDocument[]> {
  let some: TaskDocument[] = [];
  for await (const document of documents) {
    some.push(document);
    if (some.length < AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

function byPlace(records: readonly TaskRecord[]): TaskRecord[] {
  return records.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}
