import { hiddenQueueIds } from './hidden-queues.ts';
import { limitsOf, type NodeLimits } from './node-document.ts';
import { nodeFilter } from './node-store.ts';
import type { QueueRecord } from './queue-record.ts';
import type { Space } from './spaces.ts';
import { LIVE } from './status-codes.ts';

const FREE: NodeLimits = { wish: 'work', maxRunning: null, assignedVersion: -1 };

/** A node that never sent a heartbeat has no limit and no wish, and no version to be assigned at. */
export async function readNodeLimits({ nodes }: Space, node: string): Promise<NodeLimits> {
  const document = await nodes.findOne(nodeFilter(node));
  return document ? limitsOf(document) : FREE;
}

/** Whether the queue lets this node have anything, by force or not. */
export function allowsNode({ settings }: QueueRecord, node: string): boolean {
  const { nodesOnly, nodesNot } = settings;
  return (nodesOnly === null || nodesOnly.includes(node)) && !nodesNot.includes(node);
}

export function isLimited({ settings }: QueueRecord): boolean {
  const { maxRunning, maxRunningPerNode, limits } = settings;
  return maxRunning !== null || maxRunningPerNode !== null || limits.length > 0;
}

/** How many more the limits of queue, queue × node and node leave, counted by index. */
export async function roomFor(
  space: Space,
  { queue, node, limits }: { queue: QueueRecord; node: string; limits: NodeLimits },
): Promise<number> {
  const { maxRunning, maxRunningPerNode } = queue.settings;
  const live = { status: { $in: LIVE as number[] } };
  const count = (filter: object) => space.tasks.countDocuments({ ...live, ...filter });
  const ofQueue = { queue: queue.documentId };
  const rooms = [Number.POSITIVE_INFINITY];
  if (maxRunning !== null) rooms.push(maxRunning - (await count(ofQueue)));
  if (maxRunningPerNode !== null) {
    rooms.push(maxRunningPerNode - (await count({ ...ofQueue, node })));
  }
  if (limits.maxRunning !== null) {
    const hidden = await hiddenQueueIds(space);
    rooms.push(limits.maxRunning - (await count({ node, queue: { $nin: hidden } })));
  }
  return Math.min(...rooms);
}
