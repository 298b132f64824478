import fc from 'fast-check';
import { QUEUE_DEFAULTS, QUEUE_ORDERS } from '../../src/core/domain/queue.ts';
import type { QueueSettings } from '../../src/core/store/index.ts';
import { index, namespace, oneIn } from './chance.ts';
import { commandOf } from './store-command.ts';
import { newId, pickQueue } from './store-world.ts';

const few = (max: number) => oneIn(3, fc.nat({ max }));

export const LIMITS: readonly QueueSettings['limits'][] = [
  [],
  [],
  [{ name: 'tenant', by: 'tenant', max: 2, perMs: null }],
  [
    { name: 'rate', by: 'host', max: 2, perMs: 5000 },
    { name: 'tenant', by: 'tenant', max: 1, perMs: null },
  ],
];

const settings = fc.record(
  {
    priority: fc.integer({ min: -1, max: 1 }),
    paused: fc.constantFrom(false, false, false, true),
    order: fc.constantFrom(...QUEUE_ORDERS),
    maxRunning: few(3),
    maxRunningPerNode: few(2),
    nodesOnly: fc.constantFrom(null, null, ['node-1', 'node-2']),
    nodesNot: fc.constantFrom([], [], ['node-3']),
    maxAttempts: oneIn(2, fc.integer({ min: 1, max: 3 })),
    maxLosses: oneIn(2, fc.integer({ min: 1, max: 3 })),
    leaseMs: fc.constantFrom(1000, 5000, 30_000),
    onLost: fc.constantFrom('requeue', 'park', 'fail'),
    admission: fc.constantFrom('open', 'open', 'gated'),
    continuous: fc.boolean(),
    intervalMs: fc.constantFrom(0, 2000),
    data: fc.json().map((text) => JSON.parse(text)),
    limits: fc.constantFrom(...LIMITS),
  },
  { requiredKeys: [] },
);

export const queueCommands = {
  insert: commandOf({
    name: 'queues.insert',
    repeatable: true,
    args: fc.record({ settings, namespace, name: fc.constantFrom('a', 'b', 'c') }),
    request: (args, world) => ({
      ...QUEUE_DEFAULTS,
      ...args.settings,
      id: newId(world),
      namespace: args.namespace,
      name: args.name,
    }),
    call: (store, queue, step) => store.queues.insert(queue, step),
    note(world, answer, queue) {
      if (answer === 'inserted') world.queues.push(queue);
    },
  }),

  update: commandOf({
    name: 'queues.update',
    repeatable: true,
    args: fc.record({
      queue: index,
      settings,
      isStale: fc.constantFrom(false, false, true),
      next: few(3),
    }),
    async request(args, world, { model }) {
      const known = pickQueue(world, args.queue);
      const found = await model.queues.find(known.namespace, known.name);
      const revision = (found?.id === known.id ? found.revision : 1) - (args.isStale ? 1 : 0);
      const next =
        args.next === null
          ? {}
          : { nextContinuousAt: new Date(world.now.getTime() + args.next * 1000) };
      const base = found?.id === known.id ? found : QUEUE_DEFAULTS;
      return { id: known.id, revision, settings: { ...base, ...args.settings }, ...next };
    },
    call: (store, change, step) => store.queues.update(change, step),
  }),

  delete: commandOf({
    name: 'queues.delete',
    repeatable: true,
    args: fc.record({ queue: index, tasks: fc.constantFrom('refuse', 'delete', 'keep') }),
    // Mostly the last ones: without the first, a run has little left to do.
    request: ({ queue, tasks }, world) => ({
      id: pickQueue(world, queue % 4 ? 3 * queue : queue).id,
      tasks,
    }),
    call: (store, deletion, step) => store.queues.delete(deletion, step),
  }),

  purge: commandOf({
    name: 'queues.purge',
    args: fc.nat({ max: 5 }),
    request: (limit) => limit,
    call: (store, limit, { now }) => store.queues.purge({ now, limit }),
  }),

  admit: commandOf({
    name: 'queues.admit',
    repeatable: true,
    args: fc.record({ queue: index, limit: fc.nat({ max: 4 }), term: few(3) }),
    request: ({ queue, limit, term }, world) => ({
      queueId: pickQueue(world, queue).id,
      limit,
      lease: term === null ? null : { name: 'controller', term },
    }),
    call: (store, admission, step) => store.queues.admit(admission, step),
  }),

  counts: commandOf({
    name: 'queues.counts',
    args: fc.constantFrom(null, 'default', 'other'),
    request: (wanted) => wanted,
    call: (store, wanted, step) => store.queues.counts(wanted, step),
  }),

  deleteNamespace: commandOf({
    name: 'namespaces.delete',
    repeatable: true,
    args: fc.constantFrom('other', 'other', 'other', 'default'),
    request: (name) => name,
    call: (store, name, step) => store.namespaces.delete(name, step),
  }),
};
