/** Why a task is not running, in words; by the same rules that claim. */
import type { Node } from '../domain/node.ts';
import type { Queue } from '../domain/queue.ts';
import type { Task } from '../domain/task.ts';
import type { WhyReason } from '../engine/task-operations.ts';
import type { QueueHead } from '../store/queue-store.ts';
import type { Position } from '../store/task-store.ts';
import { claimerObstacle, type Obstacle, queueObstacle } from './obstacle.ts';

export interface Situation {
  readonly task: Task;
  /** null: the queue was deleted and its tasks kept. */
  readonly head: QueueHead | null;
  readonly nodes: readonly Node[];
  readonly position: Position | null;
  readonly now: Date;
}

export function waitingReasons(situation: Situation): WhyReason[] {
  const { task, head, now } = situation;
  switch (task.state) {
    case 'running':
      return [runningReason(task)];
    case 'claimed':
      return [reason('claimed', `Node ${task.attempt?.node} has it and is about to start it.`)];
    case 'held':
      return [holdReason(task)];
    case 'delayed':
      return [reason('delayed', `It starts at ${task.notBefore?.toISOString()}, not before.`)];
    case 'queued':
      if (head === null) return [reason('no-queue', 'Its queue was deleted; nobody claims it.')];
      return queuedReasons({ ...situation, head }, now);
    default:
      return [
        reason('ended', `It has ended: ${task.state}${task.error ? ` (${task.error})` : ''}.`),
      ];
  }
}

function queuedReasons(situation: Situation & { head: QueueHead }, now: Date): WhyReason[] {
  const { head, nodes } = situation;
  const { ahead, fullLimits } = situation.position ?? { ahead: 0, fullLimits: [] };
  const reasons: WhyReason[] = [];
  const inQueue = queueObstacle(head);
  if (inQueue !== null) reasons.push(reason(inQueue, obstacleText(inQueue, head)));
  const live = nodes.filter((node) => node.active && node.expiresAt > now);
  if (live.length === 0) {
    reasons.push(reason('no-node', 'No node is running. Start one: batchyard node'));
  } else {
    reasons.push(...nodeReasons(head.queue, live));
  }
  for (const name of fullLimits) {
    reasons.push(reason('limit', `Limit "${name}" is used up for this task's key.`));
  }
  if (ahead > 0) {
    reasons.push(
      reason('position', `${ahead} ${ahead === 1 ? 'task is' : 'tasks are'} ahead of it.`),
    );
  }
  if (reasons.length === 0)
    reasons.push(reason('next', 'It is next: a node takes it as soon as it asks.'));
  return reasons;
}

/** What keeps all of the live nodes from a queue; [] when one of them may take from it. */
export function nodeReasons(queue: Queue, live: readonly Node[]): WhyReason[] {
  const found = new Set<string>();
  for (const node of live) {
    const code = nodeObstacle(queue, node);
    if (code === null) return [];
    found.add(code);
  }
  return [...found].map((code) => reason(code, nodeText(code, queue, live.length)));
}

function nodeObstacle(queue: Queue, node: Node): string | null {
  if (node.wish !== 'work') return 'not-taking-work';
  const obstacle = claimerObstacle(queue, {
    node: node.name,
    programs: node.programs,
    queuesNot: node.queuesNot,
    ...(node.handlers === null ? {} : { handlers: node.handlers }),
    ...(node.queuesOnly === null ? {} : { queues: node.queuesOnly }),
  });
  // A node that names no handlers is asked by old clients, which say what they run with each claim.
  if (obstacle !== null && !(obstacle === 'programs' && node.handlers === null)) return obstacle;
  const limit = node.maxRunning === null ? node.slots : Math.min(node.slots, node.maxRunning);
  return node.runningCount >= limit ? 'nodes-busy' : null;
}

function nodeText(code: string, queue: Queue, count: number): string {
  const those = count === 1 ? 'The one live node' : `None of the ${count} live nodes`;
  const verb = (one: string, many: string) => `${those} ${count === 1 ? one : many}`;
  switch (code) {
    case 'handler':
      return `No live node has handler "${queue.handler ?? queue.name}".`;
    case 'programs':
      return 'No live node runs programs.';
    case 'node-rule':
      return verb(
        'is not among the nodes this queue is for.',
        'is among the nodes this queue is for.',
      );
    case 'not-wanted':
      return verb('does not serve this queue.', 'serves this queue.');
    case 'not-taking-work':
      return verb('is drained or cordoned.', 'takes work: drained or cordoned.');
    case 'nodes-busy':
      return verb('has no free slot.', 'has a free slot.');
    default:
      return `No live node can take it: ${code}.`;
  }
}

function obstacleText(code: Obstacle, { queue, counts }: QueueHead): string {
  switch (code) {
    case 'paused':
      return `Queue "${queue.name}" is paused. Resume it: batchyard queue resume ${queue.name}`;
    case 'weight':
      return `Queue "${queue.name}" has weight ${queue.weight}, so it gets nothing.`;
    case 'stopped':
      return `A limit of queue "${queue.name}" is 0, so it runs nothing.`;
    default:
      return `Queue "${queue.name}" runs ${counts.claimed + counts.running} tasks, its limit.`;
  }
}

function holdReason(task: Task): WhyReason {
  if (task.hold === 'quarantined') {
    return reason(
      'quarantined',
      `It was lost with its node ${task.lossCount} times and is set aside. Release it to try again.`,
    );
  }
  if (task.hold === 'admission')
    return reason('admission', 'Its queue is gated and has not admitted it yet.');
  return reason('held', `It is held. Release it: batchyard task release ${task.id}`);
}

function runningReason(task: Task): WhyReason {
  if (task.external) return reason('external', 'It is running elsewhere and ends by a call.');
  const since = (task.attempt?.startedAt ?? task.updatedAt).toISOString();
  return reason('running', `It is running on node ${task.attempt?.node} since ${since}.`);
}

function reason(code: string, text: string): WhyReason {
  return { code, text };
}
