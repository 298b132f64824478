import {
  type AttemptStore,
  type Claim,
  type ClaimStep,
  type ClaimTaskAnswer,
  type ClaimTaskStep,
  limitKeysOf,
} from '../../../src/core/store/index.ts';
import {
  byPlace,
  findQueue,
  findTask,
  keysOf,
  type ModelState,
  nodeKey,
  type QueueRecord,
  type TaskRecord,
  toClaim,
} from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';
import { renewContinuous } from './model-submission.ts';
import { beginAttempt, isWaiting } from './model-transitions.ts';

type ClaimMethods = Pick<AttemptStore, 'claim' | 'claimTask' | 'claimContinuous'>;
type Claimer = Pick<ClaimStep, 'node' | 'start' | 'leaseMs'> & { readonly token: string | null };

export function createModelClaims({ state, takeAsOfNow }: ModelSteps): ClaimMethods {
  return {
    claim: (request, step) => takeAsOfNow(step, (now) => claim(state, request, now)),
    claimTask: (request, step) => takeAsOfNow(step, (now) => claimTask(state, request, now)),

    claimContinuous: (request, step) =>
      takeAsOfNow(step, (now) => {
        const queue = findQueue(state, request.queueId);
        if (!queue) return null;
        const seen = findSeen(state, queue.namespace, request, now);
        if (seen) return seen[0] ?? null;
        const { settings, counts, nextContinuousAt } = queue;
        const expected = request.expectedNextAt?.getTime() ?? null;
        const isDue = nextContinuousAt === expected && (expected === null || expected <= now);
        const isIdle = counts.queued + counts.claimed + counts.running === 0;
        if (!settings.continuous || !isOpen(state, queue, request.node) || !isDue || !isIdle) {
          return null;
        }
        if (roomFor(state, queue, request.node) < 1) return null;
        const keys = limitKeysOf(settings.limits, request.task.params);
        if (fullLimits(queue, keys, now).length > 0) return null;
        const task = renewContinuous(state, queue, request.task, now);
        if (!task) return null;
        queue.nextContinuousAt = now + settings.intervalMs;
        const claimed = give(state, task, request, now);
        remember(state, queue.namespace, request, [claimed], now);
        return claimed;
      }),
  };
}

function claim(state: ModelState, request: ClaimStep, now: number): Claim[] {
  const { namespace, node, picks, limit } = request;
  const seen = findSeen(state, namespace, request, now);
  if (seen) return seen;

  const claims: Claim[] = [];
  for (const { queueId, count } of picks) {
    const queue = findQueue(state, queueId);
    if (queue?.namespace !== namespace || !isOpen(state, queue, node)) continue;
    let left = count;
    for (const task of [...queue.tasks].filter((one) => one.state === 'queued').sort(byPlace)) {
      if (left < 1 || claims.length >= limit || roomFor(state, queue, node) < 1) break;
      if (fullLimits(queue, keysOf(task), now).length > 0) continue;
      claims.push(give(state, task, request, now));
      left -= 1;
    }
  }
  remember(state, namespace, request, claims, now);
  return claims;
}

function claimTask(state: ModelState, request: ClaimTaskStep, now: number): ClaimTaskAnswer {
  const { namespace, taskId, node: name, force, assignedVersion } = request;
  const task = findTask(state, namespace, taskId);
  if (!task) return { status: 'missing' };
  if (!isWaiting(task.state)) return { status: 'not-waiting' };
  const node = state.nodes.get(nodeKey(namespace, name));
  if (assignedVersion !== null && node?.assignedVersion !== assignedVersion) {
    return { status: 'outrun' };
  }
  const { queue } = task;
  const isAllowed = !queue.deleted && allowsNode(state, queue, name);
  const isFree =
    task.state === 'queued' &&
    !queue.settings.paused &&
    roomFor(state, queue, name) >= 1 &&
    fullLimits(queue, keysOf(task), now).length === 0;
  if (!isAllowed || (!isFree && !force)) return { status: 'refused' };
  if (assignedVersion !== null && node) {
    node.assignedVersion += 1;
    node.assignedAt = now;
  }
  return { status: 'claimed', claim: give(state, task, { ...request, token: null }, now) };
}

function give(state: ModelState, task: TaskRecord, claimer: Claimer, now: number): Claim {
  const { node, start, token } = claimer;
  const expiresAt = now + (claimer.leaseMs ?? task.queue.settings.leaseMs);
  return toClaim(task, beginAttempt(state, task, { node, start, expiresAt, token }, now));
}

/** Whether the queue gives anything to this node at all. */
function isOpen(state: ModelState, queue: QueueRecord, node: string): boolean {
  return !queue.settings.paused && allowsNode(state, queue, node);
}

function allowsNode(state: ModelState, { namespace, settings }: QueueRecord, node: string) {
  const wish = state.nodes.get(nodeKey(namespace, node))?.wish ?? 'work';
  const isNamed = settings.nodesOnly === null || settings.nodesOnly.includes(node);
  return isNamed && !settings.nodesNot.includes(node) && wish === 'work';
}

/** How many more the limits of queue, queue × node and node leave. */
function roomFor(state: ModelState, queue: QueueRecord, name: string): number {
  const { maxRunning, maxRunningPerNode } = queue.settings;
  const key = nodeKey(queue.namespace, name);
  const nodeLimit = state.nodes.get(key)?.maxRunning ?? null;
  const rooms: number[] = [Number.POSITIVE_INFINITY];
  if (maxRunning !== null) rooms.push(maxRunning - queue.counts.claimed - queue.counts.running);
  if (maxRunningPerNode !== null) {
    const here = [...queue.tasks].filter((task) => task.live?.node === name);
    rooms.push(maxRunningPerNode - here.length);
  }
  if (nodeLimit !== null) rooms.push(nodeLimit - (state.runningCounts.get(key) ?? 0));
  return Math.min(...rooms);
}

/** Names of the keyed limits that are used up for these keys. */
export function fullLimits(queue: QueueRecord, keys: readonly string[], now: number): string[] {
  const isFull = (index: number): boolean => {
    const limit = queue.settings.limits[index];
    if (!limit) return false;
    const key = keys[index] ?? '';
    if (limit.perMs === null) {
      const live = [...queue.tasks].filter((task) => task.live?.limitKeys[index] === key);
      return live.length >= limit.max;
    }
    const windowStart = now - limit.perMs;
    const starts = queue.starts.get(`${limit.name}\n${key}`) ?? [];
    return starts.filter((start) => start > windowStart).length >= limit.max;
  };
  return queue.settings.limits.filter((_, index) => isFull(index)).map(({ name }) => name);
}

interface TokenHolder {
  readonly node: string;
  readonly token: string | null;
}

function tokenKey(namespace: string, { node, token }: TokenHolder): string {
  return `${nodeKey(namespace, node)}\n${token}`;
}

/** What a call with this token got and still holds; null when the token was not seen. */
function findSeen(state: ModelState, namespace: string, holder: TokenHolder, now: number) {
  const seen = state.claimTokens.get(tokenKey(namespace, holder));
  if (holder.token === null || !seen || seen.until <= now) return null;
  return seen.taskIds.flatMap((id) => {
    const task = state.tasks.get(id);
    const isHeld = task?.live?.node === holder.node && task.live.token === holder.token;
    return task?.live && isHeld ? [toClaim(task, task.live)] : [];
  });
}

function remember(
  state: ModelState,
  namespace: string,
  holder: TokenHolder,
  claims: readonly Claim[],
  now: number,
): void {
  if (holder.token === null || claims.length === 0) return;
  const until = Math.max(now, ...claims.map((one) => one.expiresAt.getTime()));
  const taskIds = claims.map((one) => one.taskId);
  state.claimTokens.set(tokenKey(namespace, holder), { until, taskIds });
}
