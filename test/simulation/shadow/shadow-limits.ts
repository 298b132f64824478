/** What may keep a task from a node; asked anew for every single claim. */
import type { Invariant } from '../violation.ts';
import { countOf, type Shadow, type ShadowQueue, type ShadowTask } from './shadow-record.ts';

export interface Obstacle {
  readonly invariant: Invariant;
  readonly reason: ObstacleReason;
}

export type ObstacleReason =
  | 'queue gone'
  | 'queue paused'
  | 'node rule'
  | 'node wish'
  | 'queue limit'
  | 'queue and node limit'
  | 'node limit'
  | 'keyed limit'
  | 'rate limit';

const closed = (reason: ObstacleReason): Obstacle => ({ invariant: 'claims what waits', reason });
const full = (reason: ObstacleReason): Obstacle => ({ invariant: 'limits hold', reason });

/** What no force overcomes. */
export function ruleObstacle(shadow: Shadow, queue: ShadowQueue, node: string): Obstacle | null {
  const { nodesOnly, nodesNot } = queue.settings;
  if (queue.isGone) return closed('queue gone');
  if (nodesOnly !== null && !nodesOnly.includes(node)) return closed('node rule');
  if (nodesNot.includes(node)) return closed('node rule');
  const wish = shadow.nodes.get(node)?.wish ?? 'work';
  return wish === 'work' ? null : closed('node wish');
}

/** What keeps every task of the queue from the node. */
export function queueObstacle(shadow: Shadow, queue: ShadowQueue, node: string): Obstacle | null {
  const { paused, maxRunning, maxRunningPerNode } = queue.settings;
  if (paused) return closed('queue paused');
  if (maxRunning !== null && countOf(queue, 'claimed', 'running') >= maxRunning) {
    return full('queue limit');
  }
  if (maxRunningPerNode !== null && liveOn(queue.tasks, node) >= maxRunningPerNode) {
    return full('queue and node limit');
  }
  const nodeLimit = shadow.nodes.get(node)?.maxRunning ?? null;
  if (nodeLimit !== null && liveOn(shadow.tasks.values(), node) >= nodeLimit) {
    return full('node limit');
  }
  return null;
}

/** What keeps a task with these keys. */
export function keyObstacle(
  queue: ShadowQueue,
  limitKeys: readonly string[],
  now: number,
): Obstacle | null {
  for (const [index, { max, perMs }] of queue.settings.limits.entries()) {
    const key = limitKeys[index] ?? '';
    let count = 0;
    if (perMs === null) {
      for (const { live } of queue.tasks) if (live?.limitKeys[index] === key) count += 1;
      if (count >= max) return full('keyed limit');
    } else {
      for (const { limitKeys: keys, atMs } of queue.claimed) {
        if (atMs > now - perMs && keys[index] === key) count += 1;
      }
      if (count >= max) return full('rate limit');
    }
  }
  return null;
}

export function liveOn(tasks: Iterable<ShadowTask>, node: string): number {
  let count = 0;
  for (const { live } of tasks) if (live?.node === node) count += 1;
  return count;
}
