import type { Attempt, NodeAttemptQuery, Page } from '../../core/store/index.ts';
import { listArchived } from './attempt-archive.ts';
import { hiddenQueueIds } from './hidden-queues.ts';
import { fromDocumentId } from './ids.ts';
import { pageOf } from './page-of.ts';
import { findTasks, toRecords } from './queue-lookup.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';
import { toEndedAttempt, toLiveAttempt } from './task-record.ts';

export async function listAttempts(space: Space, taskId: string): Promise<Attempt[]> {
  const task = (await findTasks(space, [taskId])).get(taskId);
  if (!task) return [];
  const all = [...(await listArchived(space, task)), ...task.ended];
  const ended = all.map((one) => toEndedAttempt(task, one));
  return task.live ? [...ended, toLiveAttempt(task, task.live)] : ended;
}

export async function listByNode(
  space: Space,
  query: NodeAttemptQuery,
  now: number,
): Promise<Page<Attempt>> {
  const { node, live, after, limit } = query;
  if (!live) return listEnded(space, query, now);
  const hidden = await hiddenQueueIds(space);
  const documents = await space.tasks
    .find({ node, status: { $in: LIVE as number[] }, queue: { $nin: hidden } })
    .toArray();
  const records = await toRecords(space, documents);
  const attempts = records.flatMap((task) => (task.live ? [toLiveAttempt(task, task.live)] : []));
  return pageOf(attempts, { after, limit, cursorOf: endCursor });
}

/** Sorts the newest end first; equal ends by task and fence. */
function endCursor({ endedAt, taskId, fence }: Attempt): string {
  const age = Number.MAX_SAFE_INTEGER - (endedAt?.getTime() ?? 0);
  return `${age}-${taskId}-${String(fence).padStart(10, '0')}`;
}

const FIRST_SPAN_MS = 60_000;

/** Looks back over ever longer spans, so that a page of a long history reads only its own part. */
async function listEnded(
  space: Space,
  { node, after, limit }: NodeAttemptQuery,
  now: number,
): Promise<Page<Attempt>> {
  const age = Number(after?.slice(0, after.indexOf('-')) ?? Number.NaN);
  const newest = Number.isNaN(age) ? null : Number.MAX_SAFE_INTEGER - age;
  for (let span = FIRST_SPAN_MS; ; span *= 16) {
    const oldest = (newest ?? now) - span;
    const endedAt = {
      ...(oldest > 0 && { $gte: new Date(oldest) }),
      ...(newest !== null && { $lte: new Date(newest) }),
    };
    const isBound = Object.keys(endedAt).length > 0;
    const some = { node, ...(isBound && { endedAt }) };
    const documents = await space.tasks
      .find({ 'batchyard.ended': { $elemMatch: some } } as object)
      .toArray();
    const archived = await space.archive.find(some as object).toArray();
    const moved = await space.tasks
      .find({ _id: { $in: [...new Set(archived.map(({ task }) => task))] } })
      .toArray();
    const all = new Map([...documents, ...moved].map((one) => [fromDocumentId(one._id), one]));
    const records = await toRecords(space, [...all.values()]);
    const attempts: Attempt[] = [];
    for (const task of records) {
      for (const one of [...(await listArchived(space, task)), ...task.ended]) {
        if (one.node === node && (oldest <= 0 || one.endedAt >= oldest)) {
          attempts.push(toEndedAttempt(task, one));
        }
      }
    }
    const page = pageOf(attempts, { after, limit, cursorOf: endCursor });
    if (page.next !== null || oldest <= 0) return page;
  }
}
