import type { Claim } from '../../../src/core/domain/attempt.ts';
import type {
  ClaimContinuousStep,
  ClaimStep,
  ClaimTaskAnswer,
  ClaimTaskStep,
} from '../../../src/core/store/attempt-store.ts';
import { insist, Violation } from '../violation.ts';
import { keyObstacle, type Obstacle, queueObstacle, ruleObstacle } from './shadow-limits.ts';
import {
  comparePlaces,
  countOf,
  describeTask,
  doesWait,
  findOpenQueue,
  type Given,
  hasEnded,
  hexOf,
  jsonOf,
  keysOf,
  msOf,
  type Shadow,
  type ShadowQueue,
  type ShadowTask,
} from './shadow-record.ts';
import { create, replace } from './shadow-submissions.ts';
import { begin, catchUp } from './shadow-transitions.ts';

type Claimer = Pick<ClaimStep, 'node' | 'start' | 'leaseMs' | 'token'>;

export function onClaim(
  shadow: Shadow,
  request: ClaimStep,
  claims: readonly Claim[],
  now: number,
): void {
  catchUp(shadow, now);
  const again = findAgain(shadow, request, now);
  if (again !== null) {
    checkAgain(shadow, request, claims, again);
    return;
  }
  let index = 0;
  for (const { queueId, count } of request.picks) {
    const queue = findOpenQueue(shadow, queueId);
    let taken = 0;
    while (claims[index]?.queueId === queueId && taken < count) {
      onClaimed(shadow, request, claims[index] as Claim, now);
      taken += 1;
      index += 1;
    }
    if (queue === null || taken === count || index === request.limit) continue;
    const { task, obstacle } = findNext(shadow, queue, request.node, now);
    if (obstacle) shadow.sometimes.hit(`claim met: ${obstacle.reason}`);
    insist(task === null, 'claims in order', () => `${task?.id} could be had, and was not given`);
  }
  insist(index === claims.length && index <= request.limit, 'claims what waits', () => {
    const extra = claims.slice(index).map(({ taskId }) => taskId);
    return `${claims.length} claims, ${request.limit} asked for; unasked for: ${extra.join(', ')}`;
  });
  remember(shadow, request, claims);
}

/** A token that was seen: what that call gave and is still held. null: it was not seen. */
function findAgain(shadow: Shadow, { node, token }: Claimer, now: number): readonly Given[] | null {
  if (token === null) return null;
  const seen = shadow.tokens.get(tokenKey(node, token));
  if (seen === undefined || seen.until <= now) return null;
  shadow.sometimes.hit('token answered again');
  const held = seen.given.filter(
    ({ taskId, fence }) => shadow.tasks.get(taskId)?.live?.fence === fence,
  );
  if (held.length < seen.given.length) shadow.sometimes.hit('token answered with fewer');
  return held;
}

/** Nothing else may come back. */
function checkAgain(
  shadow: Shadow,
  { node, token }: Claimer,
  claims: readonly Claim[],
  held: readonly Given[],
): void {
  const given = claims.map(({ taskId, fence }) => ({ taskId, fence }));
  insist(
    jsonOf(given) === jsonOf(held),
    'one token, one set of claims',
    () => `${node} ${token}: gave ${jsonOf(given)}, first gave and still held ${jsonOf(held)}`,
  );
  for (const claim of claims) {
    checkClaim(shadow.tasks.get(claim.taskId) as ShadowTask, claim);
  }
}

function remember(shadow: Shadow, { node, token }: Claimer, claims: readonly Claim[]): void {
  if (token === null || claims.length === 0) return;
  shadow.tokens.set(tokenKey(node, token), {
    until: Math.max(...claims.map(({ expiresAt }) => expiresAt.getTime())),
    given: claims.map(({ taskId, fence }) => ({ taskId, fence })),
  });
}

export function tokenKey(node: string, token: string): string {
  return `${node}\n${token}`;
}

function onClaimed(shadow: Shadow, request: Claimer, claim: Claim, now: number): void {
  const { node } = request;
  const task = shadow.tasks.get(claim.taskId);
  if (!task) throw new Violation('claims what waits', `${claim.taskId} is no task`);
  insist(task.live === null, 'one live attempt', () => `${describeTask(task)} given to ${node}`);
  insist(task.state === 'queued', 'claims what waits', () => `${describeTask(task)} is claimed`);
  const obstacle = obstacleOf(shadow, task, node, now);
  if (obstacle !== null) {
    throw new Violation(obstacle.invariant, `${obstacle.reason}: ${describeTask(task)}, ${node}`);
  }
  const { task: next } = findNext(shadow, task.queue, node, now);
  insist(next === task, 'claims in order', () => `${task.id} came before ${next?.id}`);
  give(shadow, task, request, now);
  checkClaim(task, claim);
}

function give(shadow: Shadow, task: ShadowTask, claimer: Claimer, now: number): void {
  const { node, start, leaseMs, token } = claimer;
  begin(shadow, task, {
    node,
    claimedAt: now,
    startedAt: start ? now : null,
    expiresAt: now + (leaseMs ?? task.queue.settings.leaseMs),
    token,
  });
}

/** The claim says what the task is, and carries its new fence. */
function checkClaim(task: ShadowTask, claim: Claim): void {
  insist(
    claim.fence === task.live?.fence,
    'growing fence',
    () => `${describeTask(task)} is claimed with fence ${claim.fence}`,
  );
  const given = [claim.claimCount, claim.tryCount, claim.roundCount, claim.priority];
  const known = [task.claimCount, task.tryCount, task.roundCount, task.priority];
  const times = [msOf(claim.claimedAt), msOf(claim.expiresAt), jsonOf(claim.params)];
  const knownTimes = [task.live?.claimedAt, task.live?.expiresAt, task.params];
  insist(
    jsonOf([given, times]) === jsonOf([known, knownTimes]),
    'answer as promised',
    () => `claim ${jsonOf([given, times])} of ${task.id}, which is ${jsonOf([known, knownTimes])}`,
  );
}

function obstacleOf(shadow: Shadow, task: ShadowTask, node: string, now: number): Obstacle | null {
  return (
    ruleObstacle(shadow, task.queue, node) ??
    queueObstacle(shadow, task.queue, node) ??
    keyObstacle(task.queue, keysOf(task), now)
  );
}

/** The task that is this node's next in the queue, or the last thing that stood in the way of one. */
function findNext(
  shadow: Shadow,
  queue: ShadowQueue,
  node: string,
  now: number,
): { task: ShadowTask | null; obstacle: Obstacle | null } {
  let next: ShadowTask | null = null;
  let obstacle = ruleObstacle(shadow, queue, node) ?? queueObstacle(shadow, queue, node);
  if (obstacle !== null) {
    return { task: null, obstacle: countOf(queue, 'queued') > 0 ? obstacle : null };
  }
  for (const task of queue.tasks) {
    if (task.state !== 'queued' || (next !== null && comparePlaces(next, task) < 0)) continue;
    const inItsWay = keyObstacle(queue, keysOf(task), now);
    if (inItsWay === null) next = task;
    else obstacle = inItsWay;
  }
  return { task: next, obstacle };
}

export function onClaimTask(
  shadow: Shadow,
  request: ClaimTaskStep,
  answer: ClaimTaskAnswer,
  now: number,
): void {
  catchUp(shadow, now);
  const { taskId, node, force, assignedVersion } = request;
  const task = shadow.tasks.get(taskId) ?? null;
  const expected = (): ClaimTaskAnswer['status'] => {
    if (task === null) return 'missing';
    if (!doesWait(task)) return 'not-waiting';
    const version = shadow.nodes.get(node)?.assignedVersion;
    if (assignedVersion !== null && version !== assignedVersion) return 'outrun';
    const rule = ruleObstacle(shadow, task.queue, node);
    if (rule === null && force) return 'claimed';
    const obstacle = rule ?? obstacleOf(shadow, task, node, now);
    if (obstacle !== null) shadow.sometimes.hit(`claim met: ${obstacle.reason}`);
    return obstacle === null && task.state === 'queued' ? 'claimed' : 'refused';
  };
  const status = expected();
  shadow.sometimes.hit(`claim by name: ${status}`);
  insist(
    answer.status === status,
    answer.status === 'claimed' && task?.live ? 'one live attempt' : 'claims what waits',
    () => `claimTask ${taskId} answered ${answer.status}, should be ${status}`,
  );
  if (task === null || answer.status !== 'claimed') return;
  const record = shadow.nodes.get(node);
  if (assignedVersion !== null && record) record.assignedVersion += 1;
  if (task.state !== 'queued') shadow.sometimes.hit('claim forced');
  give(shadow, task, { ...request, token: null }, now);
  checkClaim(task, answer.claim);
}

export function onClaimContinuous(
  shadow: Shadow,
  request: ClaimContinuousStep,
  claim: Claim | null,
  now: number,
): void {
  catchUp(shadow, now);
  const queue = findOpenQueue(shadow, request.queueId);
  const again = queue && findAgain(shadow, request, now);
  if (again) {
    checkAgain(shadow, request, claim ? [claim] : [], again.slice(0, 1));
    return;
  }
  const met = queue && findByKey(queue, request);
  const isFree = queue !== null && isContinuousDue(shadow, queue, request, now);
  const isDue = isFree && (met === null || hasEnded(met));
  insist(
    (claim !== null) === isDue,
    'claims what waits',
    () => `continuous task ${claim ? 'made' : 'not made'} in ${queue?.name ?? 'a queue gone'}`,
  );
  if (claim === null || queue === null) return;
  shadow.sometimes.hit('continuous task made');
  const plain = { ...request.task, hold: null, notBefore: null, delayMs: null, external: false };
  if (met) replace(shadow, met, plain, now);
  const task = met ?? create(shadow, queue, plain, now);
  queue.nextContinuousAt = now + queue.settings.intervalMs;
  give(shadow, task, request, now);
  checkClaim(task, claim);
  remember(shadow, request, [claim]);
}

function findByKey(queue: ShadowQueue, { task: { key } }: ClaimContinuousStep): ShadowTask | null {
  const hex = key && hexOf(key);
  if (hex === null) return null;
  for (const task of queue.tasks) if (task.key === hex) return task;
  return null;
}

function isContinuousDue(
  shadow: Shadow,
  queue: ShadowQueue,
  { node, expectedNextAt, task }: ClaimContinuousStep,
  now: number,
): boolean {
  const nextAt = queue.nextContinuousAt;
  return (
    queue.settings.continuous &&
    countOf(queue, 'queued', 'claimed', 'running') === 0 &&
    nextAt === msOf(expectedNextAt) &&
    (nextAt === null || nextAt <= now) &&
    ruleObstacle(shadow, queue, node) === null &&
    queueObstacle(shadow, queue, node) === null &&
    keyObstacle(queue, keysOf({ queue, params: jsonOf(task.params) }), now) === null
  );
}
