import type { Node, NodeBeat, NodeStore } from '../../../src/core/store/index.ts';
import { pageOf } from './model-page.ts';
import { copyJson, type ModelState, type NodeRecord, nodeKey, toDate } from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';

export function createModelNodes({ state, look, take, mutate }: ModelSteps): NodeStore {
  const toNode = (node: NodeRecord): Node => ({
    ...copyJson(node.report),
    id: node.id,
    namespace: node.namespace,
    name: node.name,
    active: node.active,
    wish: node.wish,
    maxRunning: node.maxRunning,
    assignedVersion: node.assignedVersion,
    assignedAt: toDate(node.assignedAt),
    runningCount: state.runningCounts.get(nodeKey(node.namespace, node.name)) ?? 0,
    createdAt: new Date(node.createdAt),
    heartbeatAt: new Date(node.heartbeatAt),
    expiresAt: new Date(node.expiresAt),
  });

  return {
    heartbeat: (namespace, beats, step) =>
      take(step, (now) => {
        if (!state.namespaces.has(namespace)) state.namespaces.set(namespace, now);
        return beats.map((one) => toNode(beat(state, namespace, one, now)));
      }),

    find: (namespace, name) =>
      look(() => {
        const node = state.nodes.get(nodeKey(namespace, name));
        return node ? toNode(node) : null;
      }),

    list: (namespace, { after, limit, live, parent }, step) =>
      take(step, (now) => {
        const nodes = [...state.nodes.values()]
          .filter((node) => node.namespace === namespace)
          .filter((node) => !live || (node.active && node.expiresAt > now))
          .filter((node) => parent === undefined || node.report.parent === parent)
          .map(toNode);
        return pageOf(nodes, { after, limit, cursorOf: ({ name }) => name });
      }),

    update: (namespace, name, { wish, maxRunning }, step) =>
      mutate(step, () => {
        const node = state.nodes.get(nodeKey(namespace, name));
        if (!node) return null;
        if (wish !== undefined) node.wish = wish;
        if (maxRunning !== undefined) node.maxRunning = maxRunning;
        return toNode(node);
      }),

    deactivate: (namespace, name, step) =>
      mutate(step, () => {
        const node = state.nodes.get(nodeKey(namespace, name));
        if (!node) return 'missing';
        node.active = false;
        return 'deactivated';
      }),

    delete: (namespace, name, step) =>
      mutate(step, () => (state.nodes.delete(nodeKey(namespace, name)) ? 'deleted' : 'missing')),
  };
}

function beat(state: ModelState, namespace: string, one: NodeBeat, now: number): NodeRecord {
  const key = nodeKey(namespace, one.name);
  const node: NodeRecord = state.nodes.get(key) ?? {
    id: one.id,
    namespace,
    name: one.name,
    report: one.report,
    active: true,
    wish: 'work',
    maxRunning: null,
    assignedVersion: 0,
    assignedAt: null,
    createdAt: now,
    heartbeatAt: now,
    expiresAt: now,
  };
  node.report = copyJson(one.report);
  node.active = true;
  node.heartbeatAt = now;
  node.expiresAt = now + one.ttlMs;
  state.nodes.set(key, node);
  return node;
}
