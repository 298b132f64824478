import type { Node } from '../domain/node.ts';

/** Live candidates that take work, the least loaded first, then the one least recently assigned, then by name. */
export function assignmentOrder(nodes: readonly Node[], now: Date): Node[] {
  return nodes
    .filter((node) => node.active && node.expiresAt > now && node.wish === 'work')
    .filter((node) => node.maxRunning === null || node.runningCount < node.maxRunning)
    .toSorted(
      (a, b) =>
        a.runningCount - b.runningCount ||
        (a.assignedAt?.getTime() ?? 0) - (b.assignedAt?.getTime() ?? 0) ||
        (a.name < b.name ? -1 : 1),
    );
}
