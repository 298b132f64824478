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
import { findRepeated, numberCall, rememberCall } from './claim-token.ts';
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
  const rows: number[] = [];
  let until = now;
  let call: Call | null = null;
  for (const { queueId, count } of picks) {
    const entry = session.queues.findHere(queueId);
    if (entry?.queue.namespace !== namespace || !isOpen(session, entry, request.node)) continue;
    const room = roomIn(session, entry, request.node);
    const wanted = Math.min(count, limit - claims.length, room, entry.counts[QUEUED] ?? 0);
    if (wanted < 1) continue;
    call ??= beginCall(session, request, now);
    for (const tuple of take(session, entry, { call, wanted })) {
      rows.push(tuple[0]);
      claims.push(toClaim(entry, tuple, call));
    }
    until = Math.max(until, claims.at(-1)?.expiresAt.getTime() ?? now);
  }
  if (call?.claim && token !== null && claims.length > 0) {
    const { claim: number, node } = call;
    rememberCall(session, { call: number, node, token, rows, until });
  }
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
  const claim = token === null ? null : numberCall(session);
  return { node, start, leaseMs, claim, now };
}

/** In the order of claims. */
function take(session: Session, entry: QueueEntry, taking: Taking): readonly ClaimedTuple[] {
  const { call, wanted } = taking;
  const tuples =
    entry.queue.limits.length > 0
      ? claimLimited(session, entry, taking)
      : session.db.tuples<ClaimedTuple>(CLAIM_SQL, [...takeValues(entry, call), entry.row, wanted]);
  if (tuples.length === 0) return tuples;
  session.queues.move(entry, QUEUED, stateOf(call), tuples.length);
  session.nodes.addLives(call.node, entry.row, tuples.length);
  noteLease(session, expiryOf(entry, call));
  if (entry.queue.limits.length === 0) keepFresh(session, entry, tuples, call);
  return tuples.sort(byPlace);
}

function keepFresh(
  { fresh }: Session,
  { row: queue }: QueueEntry,
  tuples: readonly ClaimedTuple[],
  call: Call,
): void {
  const [state, node] = [stateOf(call), call.node.row];
  for (const [row, id, fence, , tryCount] of tuples) {
    fresh.add(id, { row, queue, state, fence, tryCount, node });
  }
}

/** Priority, then rank, then id: RETURNING promises no order. */
function byPlace(a: ClaimedTuple, b: ClaimedTuple): number {
  if (a[6] !== b[6]) return b[6] - a[6];
  if (a[7] !== b[7]) return a[7] < b[7] ? -1 : 1;
  return a[1] < b[1] ? -1 : 1;
}

function toClaim(entry: QueueEntry, tuple: ClaimedTuple, call: Call): Claim {
  const [, taskId, fence, claimCount, tryCount, roundCount, priority, , key, labels, params] =
    tuple;
  return {
    taskId,
    queueId: entry.queue.id,
    queue: entry.queue.name,
    key: fromKey(key),
    params: JSON.parse(params),
    priority,
    labels: fromLabelsText(labels),
    fence,
    claimCount,
    tryCount,
    roundCount,
    claimedAt: new Date(call.now),
    expiresAt: new Date(expiryOf(entry, call)),
  };
}
