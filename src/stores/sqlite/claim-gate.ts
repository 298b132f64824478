/** What stands between a node and a queue's tasks, but for keyed limits. */
import { liveCountOf, type QueueEntry } from './queue-cache.ts';
import type { Session } from './session.ts';

/** Whether the queue gives anything to this node at all. */
export function isOpen(session: Session, entry: QueueEntry, node: string): boolean {
  return !entry.queue.paused && allowsNode(session, entry, node);
}

export function allowsNode({ nodes }: Session, { queue }: QueueEntry, name: string): boolean {
  const wish = nodes.find(queue.namespace, name)?.wish ?? 'work';
  const isNamed = queue.nodesOnly === null || queue.nodesOnly.includes(name);
  return isNamed && !queue.nodesNot.includes(name) && wish === 'work';
}

/** How many more the limits of queue, queue × node and node leave. */
export function roomIn({ nodes }: Session, entry: QueueEntry, name: string): number {
  const { namespace, maxRunning, maxRunningPerNode } = entry.queue;
  const node = nodes.find(namespace, name);
  let room = Number.POSITIVE_INFINITY;
  if (maxRunning !== null) room = maxRunning - liveCountOf(entry);
  if (maxRunningPerNode !== null) {
    room = Math.min(room, maxRunningPerNode - (node?.livesByQueue.get(entry.row) ?? 0));
  }
  if (node && node.maxRunning !== null) room = Math.min(room, node.maxRunning - node.liveCount);
  return room;
}
