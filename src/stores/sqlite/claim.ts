import type { Claim, ClaimStep } from '../../core/store/index.ts';
import { isOpen, roomIn } from './claim-gate.ts';
import { claimLimited } from './claim-limited.ts';
import {
  type Call,
  type ClaimedTuple,
  expiryOf,
  stateOf,
  TAKE_SQL,
  TAKEN_SQL,
  type Taking,
  takeValues,
} from './claim-take.ts';
import { addCall, findRepeated, rememberCall } from './claim-token.ts';
import { QUEUED } from './codes.ts';
import type { QueueEntry } from './queue-cache.ts';
import { fromKey, fromLabelsText } from './rows.ts';
import type { Session } from './session.ts';
import { noteLease } from './transitions.ts';

// One write per task; the order is that of tasks_claim_idx, so the scan ends at the limit.
export const CLAIM_SQL = `${TAKE_SQL}
  where row in (
    select row from tasks where queue = ? and state = 0 order by priority desc, rank, id limit ?)
  ${TAKEN_SQL}`;

export function claim(session: Session, request: ClaimStep, now: number): Claim[] {
  const { namespace, token, picks, limit } = request;
  const repeated = findRepeated(session, namespace, request, now);
  if (repeated) return repeated;

  const claims: Claim[] = [];
  let call: Call | null = null;
  for (const { queueId, count } of picks) {
    const entry = session.queues.findHere(queueId);
    if (entry?.queue.namespace !== namespace || !isOpen(session, entry, request.node)) continue;
    const room = roomIn(session, entry, request.node);
    const wanted = Math.min(count, limit - claims.length, room, entry.counts[QUEUED] ?? 0);
    if (wanted < 1) continue;
    call ??= beginCall(session, request, now);
    for (const one of take(session, entry, { call, wanted })) claims.push(one);
  }
  if (call && token !== null) rememberCall(session, call.claim, claims);
  return claims;
}

export function beginCall(
  session: Session,
  {
    namespace,
    node: name,
    start,
    leaseMs,
    token,
  }: Pick<ClaimStep, 'namespace' | 'node' | 'start' | 'leaseMs' | 'token'>,
  now: number,
): Call {
  const node = session.nodes.ensure(namespace, name);
  const claim = token === null ? null : addCall(session, node.row, token);
  return { node, start, leaseMs, claim, now };
}

function take(session: Session, entry: QueueEntry, taking: Taking): Claim[] {
  const { call, wanted } = taking;
  const tuples =
    entry.queue.limits.length > 0
      ? claimLimited(session, entry, taking)
      : session.db.tuples<ClaimedTuple>(CLAIM_SQL, [...takeValues(entry, call), entry.row, wanted]);
  if (tuples.length === 0) return [];
  const expiresAt = expiryOf(entry, call);
  session.queues.move(entry, QUEUED, stateOf(call), tuples.length);
  session.nodes.addLives(call.node, entry.row, tuples.length);
  noteLease(session, expiresAt);
  return tuples.sort(byPlace).map((tuple) => toClaim(entry, tuple, { at: call.now, expiresAt }));
}

/** Priority, then rank, then id: RETURNING promises no order. */
function byPlace(a: ClaimedTuple, b: ClaimedTuple): number {
  if (a[5] !== b[5]) return b[5] - a[5];
  if (a[6] !== b[6]) return a[6] < b[6] ? -1 : 1;
  return a[0] < b[0] ? -1 : 1;
}

function toClaim(
  { queue }: QueueEntry,
  [taskId, fence, claimCount, tryCount, roundCount, priority, , key, labels, params]: ClaimedTuple,
  { at, expiresAt }: { readonly at: number; readonly expiresAt: number },
): Claim {
  return {
    taskId,
    queueId: queue.id,
    queue: queue.name,
    key: fromKey(key),
    params: JSON.parse(params),
    priority,
    labels: fromLabelsText(labels),
    fence,
    claimCount,
    tryCount,
    roundCount,
    claimedAt: new Date(at),
    expiresAt: new Date(expiresAt),
  };
}
