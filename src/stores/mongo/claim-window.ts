/** Taking the first tasks of a queue, many at a time, where no limit by key looks at each. */
import type { Claim } from '../../core/store/index.ts';
import { type DocumentId, fromDocumentId } from './ids.ts';
import { orderOf } from './place.ts';
import { toRecords } from './queue-lookup.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { LIVE, QUEUED } from './status-codes.ts';
import { foreignRank } from './task-reading.ts';
import { toClaim } from './task-record.ts';

export interface Taking {
  readonly space: Space;
  readonly queue: QueueRecord;
  readonly node: string;
  readonly start: boolean;
  readonly leaseMs: number | null;
  readonly call: string;
  readonly count: number;
  readonly now: number;
}

/** Nobody's: Disbatch writes null, DEN 1.1 writes -1. */
export const UNCLAIMED = { $in: [null, -1] } as never;
const MOST_ROUNDS = 20;

export async function takeFirst(session: Session, taking: Taking): Promise<Claim[]> {
  const { locks, crowds } = session;
  const name = `window:${taking.queue.id}`;
  const run = () => takeRounds(session, taking);
  // Claims that meet at the head of a queue cost the server more than to wait for each other:
  // those of one process always do, those of several once they have met.
  return crowds.has(name) ? locks.hold([name], run) : locks.holdLocally(name, run);
}

async function takeRounds({ crowds }: Session, taking: Taking): Promise<Claim[]> {
  const { queue, count } = taking;
  const claims: Claim[] = [];
  const passed = new Set<DocumentId>();
  for (let round = 0; round < MOST_ROUNDS && claims.length < count; round++) {
    const wanted = count - claims.length;
    const ids = await findFirst(taking, wanted, passed);
    if (ids.length === 0) break;
    const got = await taking.space.counts.during(async () => {
      const answer = await take(taking, ids);
      const to = taking.start ? ('running' as const) : ('claimed' as const);
      return { answer, moves: [{ queueId: queue.id, from: 'queued', to, count: answer.length }] };
    });
    claims.push(...got);
    if (got.length === ids.length && ids.length < wanted) break;
    if (got.length < ids.length) crowds.note(`window:${queue.id}`);
    const taken = new Set(got.map(({ taskId }) => taskId));
    // Others got them first, or they look queued and belong to a node already.
    for (const id of ids) if (!taken.has(String(id))) passed.add(id);
  }
  return claims;
}

/** Places come from the index alone; those of other programs' tasks are worked out from their ids. */
async function findFirst(
  { space, queue }: Taking,
  count: number,
  passed: ReadonlySet<DocumentId>,
): Promise<DocumentId[]> {
  const queued = {
    queue: queue.documentId,
    status: QUEUED,
    ...(passed.size > 0 && { _id: { $nin: [...passed] } }),
  };
  const [ours, theirs] = await Promise.all([
    space.tasks
      .find({ ...queued, 'batchyard.order': { $gt: '' } } as object)
      .project<{ _id: DocumentId; batchyard: { order: string } }>({ 'batchyard.order': 1 })
      .sort({ 'batchyard.order': 1 })
      .limit(count)
      .toArray(),
    space.tasks
      .find({ ...queued, 'batchyard.order': null } as object)
      .project<{ _id: DocumentId }>({ _id: 1 })
      .sort({ _id: queue.settings.order === 'lifo' ? -1 : 1 })
      .limit(count)
      .toArray(),
  ]);
  if (theirs.length === 0) return ours.map(({ _id }) => _id);
  const places = [
    ...ours.map(({ _id, batchyard }) => ({ _id, order: batchyard.order })),
    ...theirs.map(({ _id }) => ({ _id, order: foreignPlace(_id, queue) })),
  ].sort((a, b) => (a.order < b.order ? -1 : 1));
  return places.slice(0, count).map(({ _id }) => _id);
}

function foreignPlace(_id: DocumentId, queue: QueueRecord): string {
  const id = fromDocumentId(_id);
  return orderOf({ priority: 0, rank: foreignRank(queue, id), id });
}

/** Of Disbatch's fields only node, status and mtime change. */
async function take(taking: Taking, ids: readonly DocumentId[]): Promise<Claim[]> {
  const { space, queue, node, start, call, now } = taking;
  const at = new Date(now);
  const expiresAt = new Date(now + (taking.leaseMs ?? queue.settings.leaseMs));
  await space.tasks.updateMany(
    { _id: { $in: ids as DocumentId[] }, queue: queue.documentId, status: QUEUED, node: UNCLAIMED },
    {
      $set: {
        node,
        status: start ? 0 : -1,
        mtime: at,
        'batchyard.live': {
          node,
          claimedAt: at,
          startedAt: start ? at : null,
          expiresAt,
          call,
        },
        'batchyard.due': expiresAt,
      },
      $inc: { 'batchyard.fence': 1, 'batchyard.claimCount': 1 },
      $unset: { 'batchyard.shown': '' },
    },
  );
  const mine = {
    _id: { $in: ids as DocumentId[] },
    'batchyard.live.call': call,
    status: { $in: LIVE as number[] },
  };
  const documents = await space.tasks.find(mine).toArray();
  const known = new Map([[queue.id, queue]]);
  const records = await toRecords(space, documents, known);
  const claims = new Map(
    records.flatMap((task) => (task.live ? [[task.id, toClaim(task, task.live)]] : [])),
  );
  return ids.flatMap((id) => claims.get(String(id)) ?? []);
}
