import type { Node as YardNode } from '../core/index.ts';

export type NodeCondition = 'working' | 'draining' | 'drained' | 'cordoned' | 'lost' | 'gone';

/** What a node is up to, as far as its last word tells. */
export function nodeCondition(node: YardNode, now: Date): NodeCondition {
  if (!node.active) return 'gone';
  if (node.expiresAt <= now) return 'lost';
  if (node.wish === 'cordon') return 'cordoned';
  if (node.wish === 'drain') return node.runningCount > 0 ? 'draining' : 'drained';
  return 'working';
}

export const CONDITION_WORDS: Readonly<Record<NodeCondition, string>> = {
  working: 'Takes work',
  draining: 'Finishes what it has and takes no more',
  drained: 'Has finished and takes no more',
  cordoned: 'Takes no more until it is told to work',
  lost: 'Sends no sign of life; its tasks are given to others when their leases end',
  gone: 'Said goodbye',
};

/** How many tasks a node runs at most. */
export function nodeCapacity({ slots, maxRunning }: YardNode): number {
  return maxRunning === null ? slots : Math.min(slots, maxRunning);
}

export function nodeAbilities(node: YardNode): string {
  const parts = [
    ...(node.handlers === null ? ['any handler'] : node.handlers),
    ...(node.programs ? ['programs'] : []),
  ];
  return parts.join(', ') || 'nothing';
}
