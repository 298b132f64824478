/**
 * What stands between a queue's tasks and a claimer. The claim and `why` ask the
 * same function, so that the reason given is the reason that holds.
 */
import type { Queue } from '../domain/queue.ts';
import type { QueueHead } from '../store/queue-store.ts';

/** What a claimer asked for. */
export interface Claimer {
  readonly node: string;
  readonly queues?: readonly string[];
  readonly queuesNot?: readonly string[];
  readonly runtimes?: readonly string[];
  readonly handlers?: readonly string[];
  readonly programs?: boolean;
}

/** Obstacles that hold for every claimer, then those that depend on who asks. */
export const OBSTACLES = [
  'paused',
  'weight',
  'stopped',
  'full',
  'node-rule',
  'not-wanted',
  'runtime',
  'programs',
  'handler',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

export function queueObstacle({ queue, counts }: QueueHead): Obstacle | null {
  if (queue.paused) return 'paused';
  if (queue.weight <= 0) return 'weight';
  if (queue.maxRunning === 0 || queue.maxRunningPerNode === 0 || queue.maxPerClaim === 0) {
    return 'stopped';
  }
  if (queue.maxRunning !== null && counts.claimed + counts.running >= queue.maxRunning) {
    return 'full';
  }
  return null;
}

export function claimerObstacle(queue: Queue, claimer: Claimer): Obstacle | null {
  if (!servedBy(queue, claimer.node)) return 'node-rule';
  const wanted = claimer.queues ?? [];
  if (wanted.length > 0 && !wanted.includes(queue.name)) return 'not-wanted';
  if (claimer.queuesNot?.includes(queue.name)) return 'not-wanted';
  if (claimer.runtimes && !claimer.runtimes.includes(queue.runtime)) return 'runtime';
  if (queue.program !== null) return claimer.programs === false ? 'programs' : null;
  if (claimer.handlers && !claimer.handlers.includes(queue.handler ?? queue.name)) return 'handler';
  return null;
}

export function obstacle(head: QueueHead, claimer: Claimer): Obstacle | null {
  return queueObstacle(head) ?? claimerObstacle(head.queue, claimer);
}

export function servedBy(queue: Pick<Queue, 'nodesOnly' | 'nodesNot'>, node: string): boolean {
  if (queue.nodesOnly !== null && !queue.nodesOnly.includes(node)) return false;
  return !queue.nodesNot.includes(node);
}
