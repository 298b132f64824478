import type {
  Claim,
  ClaimRequest,
  Engine,
  Json,
  Queue,
  QueueSettings,
  Task,
  TaskId,
  TaskSubmission,
} from '../../../../src/core/index.ts';
import { minutes } from '../../../support/builders.ts';
import { claim, claimOne, only, settle } from '../scene.ts';

export const LEASE_MS = minutes(15);

/** What the Coordinate door asks of a queue, whatever its clients say. */
const SETTINGS: Partial<QueueSettings> = {
  order: 'key',
  onLost: 'requeue',
  maxLosses: null,
  maxAttempts: null,
  leaseMs: LEASE_MS,
  retention: { succeededMs: null, failedMs: null },
};

export function defineQueue(
  engine: Engine,
  name: string,
  settings: Partial<QueueSettings> = {},
): Promise<Queue> {
  return engine.queues.define(name, { ...SETTINGS, ...settings });
}

/** Adding again replaces, as Coordinate's clients expect. */
export async function add(
  engine: Engine,
  queue: string,
  ...tasks: readonly TaskSubmission[]
): Promise<TaskId[]> {
  const submitted = await engine.tasks.submit(queue, tasks, { onConflict: 'replace' });
  return submitted.map(({ id }) => id);
}

export async function addOne(
  engine: Engine,
  queue: string,
  key: string,
  more: TaskSubmission = {},
): Promise<TaskId> {
  return only(await add(engine, queue, { params: {}, ...more, key }));
}

export function ask(
  engine: Engine,
  request: Partial<ClaimRequest> = {},
): Promise<readonly Claim[]> {
  return claim(engine, { node: 'worker', oneQueue: true, ...request });
}

export function askOne(engine: Engine, request: Partial<ClaimRequest> = {}): Promise<Claim> {
  return claimOne(engine, { node: 'worker', oneQueue: true, ...request });
}

/** The data an old client sees: what the live or last attempt reported, else what was added. */
export function visibleData(task: Task): Json {
  const reported = task.attempt !== null || task.endedAt !== null;
  return (reported ? task.result : null) ?? task.params;
}

/** Gives it up at once, as if the lease had run out. */
export async function expire(engine: Engine, { taskId, fence }: Claim): Promise<void> {
  await engine.attempts.renew([{ taskId, fence, leaseMs: 0 }]);
}

/**
 * One task in each condition the old clients can tell apart, keyed by it: available,
 * delayed, expired, failed, finished, pending, retryable.
 */
export async function addOneOfEach(engine: Engine, queue: string): Promise<void> {
  await addOne(engine, queue, 'available');
  await addOne(engine, queue, 'delayed', { delayMs: minutes(90) });
  const held = async (key: string): Promise<Claim> => {
    const taskId = await addOne(engine, queue, key, { priority: 100 });
    const mine = await engine.attempts.claimTask(taskId, { node: 'worker' });
    await engine.tasks.edit(taskId, { priority: 0 });
    return mine;
  };
  await expire(engine, await held('expired'));
  await settle(engine, await held('failed'), 'failed', { final: true });
  await settle(engine, await held('finished'), 'succeeded');
  await held('pending');
  await settle(engine, await held('retryable'), 'released', { delayMs: 0 });
}
