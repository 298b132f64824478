import type { Claim, ClaimStep } from '../../core/store/index.ts';
import { takeKeyed } from './claim-keyed.ts';
import { allowsNode, isLimited, readNodeLimits, roomFor } from './claim-rooms.ts';
import { runCall } from './claim-token.ts';
import { takeFirst } from './claim-window.ts';
import { type HeldLocks, nodeLock, queueLock } from './locks.ts';
import { findQueues } from './queue-lookup.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Session } from './session.ts';
import type { Work } from './transitions.ts';

export async function claim(session: Session, request: ClaimStep, work: Work): Promise<Claim[]> {
  const space = session.spaces.get(request.namespace);
  return runCall(session, { space, caller: request, now: work.now }, (call) =>
    claimPicks(session, { request, call }, work),
  );
}

async function claimPicks(
  session: Session,
  { request, call }: { readonly request: ClaimStep; readonly call: string },
  work: Work,
): Promise<Claim[]> {
  const { namespace, node, picks } = request;
  if (picks.length === 0) return [];
  const space = session.spaces.get(namespace);

  const [queues, limits] = await Promise.all([
    findQueues(
      space,
      picks.map(({ queueId }) => queueId),
    ),
    readNodeLimits(space, node),
  ]);
  if (limits.wish !== 'work') return [];
  const open = picks.flatMap(({ queueId, count }) => {
    const queue = queues.get(queueId);
    const isOpen = queue?.gone === null && !queue.settings.paused && allowsNode(queue, node);
    return queue && isOpen ? [{ queue, count }] : [];
  });
  const locks = open.filter(({ queue }) => isLimited(queue)).map(({ queue }) => queueLock(queue));
  if (limits.maxRunning !== null) locks.push(nodeLock(namespace, node));

  const run = async (held: HeldLocks | null): Promise<Claim[]> => {
    const claims: Claim[] = [];
    for (const { queue, count } of open) {
      const isLocked = held !== null && (limits.maxRunning !== null || isLimited(queue));
      const room = isLocked ? await roomFor(space, { queue, node, limits }) : count;
      const most = Math.min(count, request.limit - claims.length, room);
      if (most < 1) continue;
      held?.check();
      claims.push(...(await takeSome(session, { request, queue, call, count: most }, work)));
    }
    return claims;
  };
  return locks.length === 0 ? run(null) : session.locks.hold(locks, run);
}

interface Portion {
  readonly request: ClaimStep;
  readonly queue: QueueRecord;
  readonly call: string;
  readonly count: number;
}

function takeSome(
  session: Session,
  { request, queue, call, count }: Portion,
  work: Work,
): Promise<Claim[]> {
  const { namespace, node, start, leaseMs } = request;
  const space = session.spaces.get(namespace);
  const taking = { space, queue, node, start, leaseMs, call, count, now: work.now };
  return queue.settings.limits.length === 0
    ? takeFirst(session, taking)
    : takeKeyed(session, taking, work);
}
