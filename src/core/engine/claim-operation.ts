import type { Claim } from '../domain/attempt.ts';
import { checkText, checkWhole } from '../domain/check.ts';
import { checkName } from '../domain/namespace.ts';
import type { Queue } from '../domain/queue.ts';
import { continuousKey } from '../rules/continuous-key.ts';
import { obstacle } from '../rules/obstacle.ts';
import { chooseQueues, type Pick, startsContinuous } from '../rules/queue-choice.ts';
import type { QueueHead } from '../store/queue-store.ts';
import type { AttemptOperations, ClaimAnswer, ClaimRequest } from './attempt-operations.ts';
import { type Handle, storeNow } from './engine-context.ts';
import { toNewTask } from './new-task.ts';

export const MOST_CLAIMS = 5000;
const LONGEST_WAIT_MS = 60_000;
export const LONGEST_LEASE_MS = 86_400_000;
const TICK_MS = 1000;
export const TOO_MANY_CLAIMS = 'too many retries';

/** Steps of one call that may give something, each under its own token; all but the last gave only tasks over their number. */
const MOST_ROUNDS = 4;

const NOTHING: ClaimAnswer = { claims: [], queues: {} };
/** The call's tokens are used up: its caller gets nothing at once, and asks anew. */
const USED_UP: ClaimAnswer = { claims: [], queues: {} };

export function createClaimOperation(handle: Handle): AttemptOperations['claim'] {
  const { store, namespace, clock, changes } = handle;

  return async (request) => {
    checkClaim(request);
    const { waitMs = 0, signal } = request;
    const deadline = waitMs > 0 ? clock.monotonicMs() + waitMs : 0;
    const tokens = createTokens(request.token);
    for (let isFirst = true; ; isFirst = false) {
      const since = changes.mark(namespace);
      const answer = await claimNow(handle, request, tokens, isFirst);
      if (answer.claims.length > 0 || answer === USED_UP || waitMs === 0) {
        if (waitMs > 0) changes.passOn(namespace);
        return answer;
      }
      const left = deadline - clock.monotonicMs();
      if (left <= 0 || signal?.aborted) return NOTHING;
      changes.passOn(namespace);
      const due = await store.attempts.nextDue(namespace);
      const untilDue = due === null ? TICK_MS : due.getTime() - (await storeNow(handle)).getTime();
      const ms = Math.max(1, Math.min(left, TICK_MS, untilDue));
      await changes.next({ namespace, kind: 'ready', since, ms, signal });
      if (signal?.aborted) return NOTHING;
    }
  };
}

/**
 * The tokens of one call. A step that gave nothing is not remembered, so all steps of a call have
 * the same one; but where all that a step gave was over its number of claims, that token is used
 * up, and the call goes on with the next. A repeated call takes them in the same order.
 */
interface Tokens {
  current(): string | undefined;
  /** False: the call has had enough of them, and its caller asks anew. */
  advance(): boolean;
}

function createTokens(token: string | undefined): Tokens {
  let round = 1;
  return {
    current: () => (token === undefined || round === 1 ? token : `${token}/${round}`),
    advance: () => {
      round += 1;
      return token === undefined || round <= MOST_ROUNDS;
    },
  };
}

/** One go at it, without waiting. Only the first of a call can meet what an earlier call got. */
async function claimNow(
  handle: Handle,
  request: ClaimRequest,
  tokens: Tokens,
  isFirst: boolean,
): Promise<ClaimAnswer> {
  const { store, namespace, random } = handle;
  const { limit = 1, oneQueue = false } = request;
  const tried = new Set<string>();
  for (let isFirstStep = isFirst; ; isFirstStep = false) {
    const all = await store.queues.heads(namespace, handle.step());
    const queues = new Map(all.map(({ queue }) => [queue.id, queue]));
    if (isFirstStep && all.some(({ queue }) => queue.maxClaims !== null)) {
      const again = await claimFurtherAgain(handle, request, queues);
      if (again.claims.length > 0) return again;
    }
    const heads = all.filter(
      (head) => !tried.has(head.queue.id) && obstacle(head, request) === null,
    );
    const picks = chooseQueues(await dueOnly(handle, heads), { limit, oneQueue, random });
    const token = tokens.current();
    // A repeated call must get its claims again, even when nothing else is left to claim.
    if (picks.length === 0 && (token === undefined || tried.size > 0)) return NOTHING;

    const claims = await claimPicks(handle, { ...request, ...(token && { token }) }, picks);
    const allowed = await failOverclaimed(handle, claims, queues);
    if (allowed.length > 0) {
      return { claims: allowed, queues: await byName(handle, allowed, queues) };
    }
    if (claims.length > 0) {
      if (!tokens.advance()) return USED_UP;
      continue;
    }
    if (picks.length === 0) return NOTHING;
    for (const { head } of picks) tried.add(head.queue.id);
  }
}

/**
 * What the call's further tokens stand for, if it was made before and came that far. Asked before its
 * first token, and the last one first: each is forgotten before the next, and a forgotten one claims anew.
 * One that is used up answers like one that is new, so all are asked.
 */
async function claimFurtherAgain(
  handle: Handle,
  request: ClaimRequest,
  queues: ReadonlyMap<string, Queue>,
): Promise<ClaimAnswer> {
  if (request.token === undefined) return NOTHING;
  for (let round = MOST_ROUNDS; round > 1; round--) {
    const claims = await claimPicks(handle, { ...request, token: `${request.token}/${round}` }, []);
    const allowed = await failOverclaimed(handle, claims, queues);
    if (allowed.length > 0) {
      return { claims: allowed, queues: await byName(handle, allowed, queues) };
    }
  }
  return NOTHING;
}

/** One step. */
async function claimPicks(
  handle: Handle,
  request: ClaimRequest,
  picks: readonly Pick[],
): Promise<readonly Claim[]> {
  const { node, limit = 1, start = true, leaseMs = null, token = null } = request;
  const claimFrom = (from: readonly Pick[]): Promise<readonly Claim[]> =>
    handle.store.attempts.claim(
      {
        namespace: handle.namespace,
        node,
        token,
        picks: from
          .filter(({ head }) => head.counts.queued > 0)
          .map(({ head, count }) => ({ queueId: head.queue.id, count })),
        limit,
        start,
        leaseMs,
      },
      handle.step(),
    );
  const [first] = picks;
  if (first === undefined || first.head.counts.queued > 0) return claimFrom(picks);
  const claims = await claimContinuous(handle, first.head, request);
  // Of a repeated call's claims that step gives one at most, and none when the queue is gone.
  return token === null ? claims : claimFrom([]);
}

/** Leaves out continuous queues whose time has not come. */
async function dueOnly(handle: Handle, heads: readonly QueueHead[]): Promise<readonly QueueHead[]> {
  if (!heads.some((head) => startsContinuous(head) && head.queue.nextContinuousAt !== null))
    return heads;
  const now = await storeNow(handle);
  return heads.filter(
    ({ queue, counts }) =>
      counts.queued > 0 || queue.nextContinuousAt === null || queue.nextContinuousAt <= now,
  );
}

async function claimContinuous(
  handle: Handle,
  { queue }: QueueHead,
  { node, start = true, leaseMs, token }: ClaimRequest,
): Promise<readonly Claim[]> {
  const key = continuousKey(await storeNow(handle));
  const claim = await handle.store.attempts.claimContinuous(
    {
      queueId: queue.id,
      token: token ?? null,
      expectedNextAt: queue.nextContinuousAt,
      task: toNewTask('task', { key, params: {} }, queue, handle.ids),
      node,
      start,
      leaseMs: leaseMs ?? null,
    },
    handle.step(),
  );
  return claim === null ? [] : [claim];
}

/** Fails tasks that were claimed more often than their queue allows, and gives the others. */
async function failOverclaimed(
  handle: Handle,
  claims: readonly Claim[],
  queues: ReadonlyMap<string, Queue>,
): Promise<readonly Claim[]> {
  const isOver = ({ queueId, claimCount }: Claim): boolean => {
    const most = queues.get(queueId)?.maxClaims ?? null;
    return most !== null && claimCount > most;
  };
  const over = claims.filter(isOver);
  if (over.length === 0) return claims;
  const settlements = over.map(({ taskId, fence }) => ({
    taskId,
    fence,
    outcome: 'failed' as const,
    next: { state: 'failed' as const, delayMs: 0, hold: null },
    counted: true,
    data: null,
    error: TOO_MANY_CLAIMS,
    code: null,
    emit: [],
    again: null,
  }));
  await handle.store.attempts.settle(handle.namespace, settlements, handle.step());
  return claims.filter((claim) => !isOver(claim));
}

/** The claimed tasks' queues; a repeated call may give tasks of queues that are closed to it by now. */
async function byName(
  handle: Handle,
  claims: readonly Claim[],
  known: ReadonlyMap<string, Queue>,
): Promise<Record<string, Queue>> {
  const queues = new Map<string, Queue>();
  for (const { queue: name, queueId } of claims) {
    if (queues.has(name)) continue;
    const queue = known.get(queueId) ?? (await handle.store.queues.find(handle.namespace, name));
    if (queue) queues.set(name, queue);
  }
  // Not by assignment: a queue may be called __proto__.
  return Object.fromEntries(queues);
}

function checkClaim({ node, limit, leaseMs, waitMs, token }: ClaimRequest): void {
  checkName('node', node);
  if (limit !== undefined) checkWhole('limit', limit, { min: 1, max: MOST_CLAIMS });
  if (leaseMs !== undefined) checkWhole('leaseMs', leaseMs, { min: 1, max: LONGEST_LEASE_MS });
  if (waitMs !== undefined) checkWhole('waitMs', waitMs, { max: LONGEST_WAIT_MS });
  if (token !== undefined) checkText('token', token, 255);
}
