/** Claims of one task: by its id, and by a continuous queue of a task it makes itself. */
import {
  type Claim,
  type ClaimContinuousStep,
  type ClaimTaskAnswer,
  type ClaimTaskStep,
  isFinal,
  limitKeysOf,
  type NewTask,
} from '../../core/store/index.ts';
import { allowsNode, readNodeLimits, roomFor } from './claim-rooms.ts';
import { runCall } from './claim-token.ts';
import { fullLimits } from './keyed-rooms.ts';
import { nodeLock, queueLock } from './locks.ts';
import { unavailable } from './mongo-error.ts';
import { createTask, replaceTask } from './new-record.ts';
import { nodeFilter } from './node-store.ts';
import { countsOf } from './queue-counts.ts';
import { findTasks } from './queue-lookup.ts';
import type { QueueRecord } from './queue-record.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { readMeeting } from './task-conflict.ts';
import { type TaskRecord, toClaim } from './task-record.ts';
import { insertTasks, saveTasks } from './task-saving.ts';
import { beginAttempt, isWaiting, keysOf, type Work } from './transitions.ts';

const MOST_TRIES = 50;

export async function claimTask(
  session: Session,
  request: ClaimTaskStep,
  work: Work,
): Promise<ClaimTaskAnswer> {
  const { namespace, taskId, node } = request;
  const space = session.spaces.get(namespace);
  const task = (await findTasks(space, [taskId])).get(taskId);
  if (!task) return { status: 'missing' };
  const locks = [queueLock(task.queue), nodeLock(namespace, node)];
  return session.locks.hold(locks, async ({ check }) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const present = (await findTasks(space, [taskId])).get(taskId);
      const refusal = await refusalOf(space, present, { request, now: work.now });
      if (refusal || !present) return { status: refusal ?? 'missing' };
      check();
      const claim = give(work, present, { ...request, call: session.newToken() });
      if ((await saveTasks(space, [present], session.newToken())).length > 0) continue;
      await addStarts(space, work);
      if (request.assignedVersion !== null) await assign(space, node, work.now);
      return { status: 'claimed', claim };
    }
    throw unavailable('the task changes faster than it can be claimed', 'Try again.');
  });
}

async function refusalOf(
  space: Space,
  task: TaskRecord | undefined,
  { request, now }: { readonly request: ClaimTaskStep; readonly now: number },
): Promise<Exclude<ClaimTaskAnswer['status'], 'claimed'> | null> {
  if (!task) return 'missing';
  if (!isWaiting(task.state)) return 'not-waiting';
  const { node, force, assignedVersion } = request;
  const { queue } = task;
  const limits = await readNodeLimits(space, node);
  if (assignedVersion !== null && limits.assignedVersion !== assignedVersion) return 'outrun';
  if (queue.gone !== null || !allowsNode(queue, node) || limits.wish !== 'work') return 'refused';
  if (force) return null;
  if (task.state !== 'queued' || queue.settings.paused) return 'refused';
  if ((await roomFor(space, { queue, node, limits })) < 1) return 'refused';
  const full = await fullLimits(space, { queue, keys: keysOf(task), now });
  return full.length > 0 ? 'refused' : null;
}

async function assign({ nodes }: Space, node: string, now: number): Promise<void> {
  const assigned = { 'batchyard.assignedAt': new Date(now) };
  await nodes.updateOne(nodeFilter(node), {
    $inc: { 'batchyard.assignedVersion': 1 },
    $set: assigned,
  });
}

interface Claimer extends Pick<ClaimTaskStep, 'node' | 'start' | 'leaseMs'> {
  readonly call: string;
}

function give(work: Work, task: TaskRecord, { node, start, leaseMs, call }: Claimer): Claim {
  const expiresAt = work.now + (leaseMs ?? task.queue.settings.leaseMs);
  return toClaim(task, beginAttempt(work, task, { node, start, expiresAt, call }));
}

export async function claimContinuous(
  session: Session,
  request: ClaimContinuousStep,
  work: Work,
): Promise<Claim | null> {
  const found = await session.directory.find(request.queueId);
  if (!found || found.queue.gone !== null) return null;
  const { space } = found;
  const locks = [queueLock(found.queue), nodeLock(space.namespace, request.node)];
  const claims = await runCall(session, { space, caller: request, now: work.now }, (call) =>
    session.locks.hold(locks, async ({ check }) => {
      const claim = await claimTick(session, { space, request, call, check }, work);
      return claim ? [claim] : [];
    }),
  );
  return claims[0] ?? null;
}

interface Ticking {
  readonly space: Space;
  readonly request: ClaimContinuousStep;
  readonly call: string;
  check(): void;
}

async function claimTick(
  session: Session,
  { space, request, call, check }: Ticking,
  work: Work,
): Promise<Claim | null> {
  const queue = (await session.directory.find(request.queueId))?.queue;
  if (!queue || !(await mayTick(space, { queue, request, now: work.now }))) return null;
  const { task: wished } = request;
  const task = { ...wished, hold: null, notBefore: null, delayMs: null, external: false };
  const meeting = await readMeeting(space, queue, [{ ...task, unique: null }]);
  const met = task.key === null ? null : meeting.find({ ...task, unique: null });
  if (met && !isFinal(met.state)) return null;
  check();
  // The tick first: a crash between loses one and never doubles it.
  await tick(space, queue, work.now);
  return make(session, { space, queue, request, call, task, met }, work);
}

interface Tick {
  readonly queue: QueueRecord;
  readonly request: ClaimContinuousStep;
  readonly now: number;
}

async function mayTick(space: Space, { queue, request, now }: Tick): Promise<boolean> {
  const { settings, nextContinuousAt } = queue;
  const { node, task } = request;
  const expected = request.expectedNextAt?.getTime() ?? null;
  if (queue.gone !== null || !settings.continuous || settings.paused) return false;
  if (nextContinuousAt !== expected || (expected !== null && expected > now)) return false;
  const limits = await readNodeLimits(space, node);
  if (!allowsNode(queue, node) || limits.wish !== 'work') return false;
  const { queued, claimed, running } = await countsOf(space, queue);
  if (queued + claimed + running > 0) return false;
  if ((await roomFor(space, { queue, node, limits })) < 1) return false;
  const keys = limitKeysOf(settings.limits, task.params);
  return (await fullLimits(space, { queue, keys, now })).length === 0;
}

async function tick({ queues }: Space, queue: QueueRecord, now: number): Promise<void> {
  const next = new Date(now + queue.settings.intervalMs);
  await queues.updateOne(
    { _id: queue.documentId },
    { $set: { 'batchyard.nextContinuousAt': next } },
  );
}

interface Making {
  readonly space: Space;
  readonly queue: QueueRecord;
  readonly request: ClaimContinuousStep;
  readonly call: string;
  readonly task: NewTask;
  readonly met: TaskRecord | null;
}

async function make(
  session: Session,
  { space, queue, request, call, task, met }: Making,
  work: Work,
): Promise<Claim | null> {
  const record = met ?? createTask(work, queue, task);
  if (met) replaceTask(work, met, task);
  const claim = give(work, record, { ...request, call });
  const write = session.newToken();
  if (met) {
    if ((await saveTasks(space, [record], write)).length > 0) return null;
  } else await insertTasks(space, [record], write);
  await addStarts(space, work);
  return claim;
}
