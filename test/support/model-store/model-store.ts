/**
 * The store contract in its simplest form: in memory, one step at a time, nothing
 * clever. Read it next to src/core/store; where a real store differs, one of the two
 * is wrong. Tests compare stores with it, and the simulation runs on it.
 */
import {
  type AnswerStore,
  type Clock,
  type NamespaceStore,
  type Store,
  type StoreChange,
  systemClock,
} from '../../../src/core/store/index.ts';
import { createModelArchive } from './model-archive.ts';
import { createModelAttempts } from './model-attempts.ts';
import { audit } from './model-audit.ts';
import { createModelLeases } from './model-leases.ts';
import { createModelNodes } from './model-nodes.ts';
import { createModelOutputs } from './model-outputs.ts';
import { createModelQueues, hideTasks } from './model-queues.ts';
import { compare } from './model-state.ts';
import { createModelSteps, isStale, type ModelSteps } from './model-steps.ts';
import { createModelTasks } from './model-tasks.ts';
import { createModelTokens, type ModelTokens } from './model-tokens.ts';

export interface ModelStore extends Store {
  /** What should never be, in words; [] is good. */
  audit(): string[];
}

export function createModelStore({ clock = systemClock }: { clock?: Clock } = {}): ModelStore {
  const listeners = new Set<(change: StoreChange) => void>();
  const steps = createModelSteps(clock, (state) => {
    const changes = state.changes.splice(0);
    if (changes.length === 0) return;
    // Later, so that a listener cannot take a step inside a step.
    queueMicrotask(() => {
      for (const change of changes) for (const listener of listeners) listener(change);
    });
  });
  const leases = createModelLeases(steps);
  const tokens: ModelTokens = new Map();
  const close = async () => steps.close();
  return {
    capabilities: { label: 'model', durable: false, pushesWakeups: false },
    namespaces: createModelNamespaces(steps),
    queues: createModelQueues(steps, leases),
    tasks: createModelTasks(steps),
    attempts: createModelAttempts(steps),
    outputs: createModelOutputs(steps),
    nodes: createModelNodes(steps),
    leases,
    tokens: createModelTokens(steps, tokens),
    archive: createModelArchive(steps, tokens),
    answers: createModelAnswers(steps),
    examine: () => steps.look(() => []),
    now: () => steps.look(() => clock.now()),
    onChange(listener) {
      const own = (change: StoreChange) => listener(change);
      listeners.add(own);
      return { [Symbol.dispose]: () => void listeners.delete(own) };
    },
    close,
    [Symbol.asyncDispose]: close,
    audit: () => audit(steps.state),
  };
}

function createModelNamespaces({ state, look, mutate }: ModelSteps): NamespaceStore {
  return {
    list: () =>
      look(() =>
        [...state.namespaces]
          .map(([name, createdAt]) => ({ name, createdAt: new Date(createdAt) }))
          .sort((a, b) => compare(a.name, b.name)),
      ),

    ensure: (name, step) =>
      mutate(step, (now) => {
        if (!state.namespaces.has(name)) state.namespaces.set(name, now);
      }),

    delete: (name, step) =>
      mutate(step, () => {
        if (!state.namespaces.delete(name)) return 'missing';
        for (const queue of state.queues.values()) {
          if (queue.namespace !== name) continue;
          queue.deleted = true;
          hideTasks(state, queue);
        }
        for (const [key, node] of state.nodes) if (node.namespace === name) state.nodes.delete(key);
        return 'deleted';
      }),
  };
}

function createModelAnswers({ answers, take }: ModelSteps): AnswerStore {
  return {
    find: (key, step) =>
      take(step, (now) => {
        const kept = answers.get(key);
        if (!kept || isStale(kept, now)) return null;
        return { fingerprint: kept.fingerprint, answer: structuredClone(kept.answer) };
      }),

    purge: (step) =>
      take(step, (now) => {
        const stale = [...answers].filter(([, kept]) => isStale(kept, now)).slice(0, step.limit);
        for (const [key] of stale) answers.delete(key);
        return stale.length;
      }),
  };
}
