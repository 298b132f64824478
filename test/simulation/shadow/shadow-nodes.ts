/** Nodes and the leases of leaders. */
import type { Node } from '../../../src/core/domain/node.ts';
import type { LeaseAnswer, LeaseRequest } from '../../../src/core/store/lease-store.ts';
import type { NodeBeat, NodeChange } from '../../../src/core/store/node-store.ts';
import { insist } from '../violation.ts';
import { liveOn } from './shadow-limits.ts';
import { jsonOf, type Shadow, type ShadowNode } from './shadow-record.ts';

export function onHeartbeat(
  shadow: Shadow,
  beats: readonly NodeBeat[],
  nodes: readonly Node[],
): void {
  for (const [index, { name }] of beats.entries()) {
    if (!shadow.nodes.has(name)) {
      shadow.nodes.set(name, { wish: 'work', maxRunning: null, assignedVersion: 0 });
    }
    onNode(shadow, name, nodes[index] ?? null);
  }
}

export function onNode(shadow: Shadow, name: string, node: Node | null): void {
  const known = shadow.nodes.get(name);
  const given = node && [node.wish, node.maxRunning, node.assignedVersion, node.runningCount];
  const expected = known && [
    known.wish,
    known.maxRunning,
    known.assignedVersion,
    liveOn(shadow.tasks.values(), name),
  ];
  insist(
    jsonOf(given) === jsonOf(expected),
    'counts right',
    () => `node ${name}: ${jsonOf(given)}, should be ${jsonOf(expected)}`,
  );
}

export function onNodeUpdate(shadow: Shadow, name: string, change: NodeChange): void {
  const node: ShadowNode | undefined = shadow.nodes.get(name);
  if (!node) return;
  if (change.wish !== undefined) node.wish = change.wish;
  if (change.maxRunning !== undefined) node.maxRunning = change.maxRunning;
}

export function onAcquire(
  shadow: Shadow,
  { name, holder, ttlMs }: LeaseRequest,
  answer: LeaseAnswer,
  now: number,
): void {
  const lease = shadow.leases.get(name) ?? { holder: null, term: 0, expiresAt: 0 };
  shadow.leases.set(name, lease);
  const isOthers = lease.holder !== null && lease.holder !== holder && lease.expiresAt > now;
  if (isOthers) shadow.sometimes.hit('leader lease held by another');
  else {
    if (lease.holder !== holder) {
      if (lease.term > 0) shadow.sometimes.hit('leader changed');
      lease.term += 1;
    }
    lease.holder = holder;
    lease.expiresAt = now + ttlMs;
  }
  const given = [answer.held, answer.holder, answer.term, answer.expiresAt.getTime()];
  const expected = [!isOthers, lease.holder, lease.term, lease.expiresAt];
  insist(
    jsonOf(given) === jsonOf(expected),
    'one leader',
    () => `lease ${jsonOf(name)}: ${jsonOf(given)}, should be ${jsonOf(expected)}`,
  );
}

export function onRelease(
  shadow: Shadow,
  { name, holder }: { readonly name: string; readonly holder: string },
  answer: 'released' | 'not-held',
  now: number,
): void {
  const lease = shadow.leases.get(name);
  const isHeld = lease !== undefined && lease.holder === holder && lease.expiresAt > now;
  insist(
    answer === (isHeld ? 'released' : 'not-held'),
    'one leader',
    () => `release by ${holder}: ${answer}`,
  );
  if (isHeld) lease.holder = null;
}
