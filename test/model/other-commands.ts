import fc from 'fast-check';
import { NODE_REPORT_DEFAULTS, NODE_WISHES } from '../../src/core/domain/node.ts';
import { textBytes } from '../support/builders.ts';
import { index, oneIn } from './chance.ts';
import { commandOf } from './store-command.ts';
import { newId, pickAttempt, pickLive, type World } from './store-world.ts';

const name = fc.constantFrom('node-1', 'node-2', 'node-3');

export const nodeCommands = {
  heartbeat: commandOf({
    name: 'nodes.heartbeat',
    args: fc.array(
      fc.record({ name, ttlMs: fc.constantFrom(1000, 60_000), slots: fc.nat({ max: 3 }) }),
      { minLength: 1, maxLength: 2 },
    ),
    request: (beats, world) =>
      beats.map(({ name, ttlMs, slots }) => ({
        id: newId(world),
        name,
        ttlMs,
        report: { ...NODE_REPORT_DEFAULTS, slots },
      })),
    call: (store, beats, step) => store.nodes.heartbeat('default', beats, step),
  }),

  update: commandOf({
    name: 'nodes.update',
    repeatable: true,
    args: fc.record({
      name,
      change: fc.record(
        {
          wish: fc.constantFrom('work', ...NODE_WISHES),
          maxRunning: oneIn(2, fc.nat({ max: 3 })),
        },
        { requiredKeys: [] },
      ),
    }),
    request: (args) => args,
    call: (store, { name, change }, step) => store.nodes.update('default', name, change, step),
  }),

  deactivate: commandOf({
    name: 'nodes.deactivate',
    repeatable: true,
    args: name,
    request: (wanted) => wanted,
    call: (store, wanted, step) => store.nodes.deactivate('default', wanted, step),
  }),

  delete: commandOf({
    name: 'nodes.delete',
    repeatable: true,
    args: name,
    request: (wanted) => wanted,
    call: (store, wanted, step) => store.nodes.delete('default', wanted, step),
  }),

  list: commandOf({
    name: 'nodes.list',
    args: fc.boolean(),
    request: (live) => live,
    call: (store, live, step) => store.nodes.list('default', { after: null, limit: 2, live }, step),
  }),
};

export const leaseCommands = {
  acquire: commandOf({
    name: 'leases.acquire',
    args: fc.record({ holder: fc.constantFrom('a', 'b'), ttlMs: fc.constantFrom(500, 5000) }),
    request: (args) => ({ name: 'controller', ...args }),
    call: (store, request, step) => store.leases.acquire(request, step),
  }),

  release: commandOf({
    name: 'leases.release',
    args: fc.constantFrom('a', 'b'),
    request: (holder) => holder,
    call: (store, holder, step) => store.leases.release('controller', holder, step),
  }),
};

export const outputCommands = {
  append: commandOf({
    name: 'outputs.append',
    args: fc.record({
      attempt: index,
      numbers: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
      text: fc.constantFrom('', 'x', 'yy'),
    }),
    request: async ({ attempt, numbers, text }, world, pair) => ({
      namespace: 'default',
      ...(attempt % 4 ? await pickLive(world, pair, attempt) : pickAttempt(world, attempt)),
      chunks: numbers.map((number) => ({
        number,
        stream: 'stdout' as const,
        offset: 0,
        bytes: textBytes(text),
      })),
    }),
    call: (store, append, step) => store.outputs.append(append, step),
  }),

  read: commandOf({
    name: 'outputs.read and outputs.tail',
    args: fc.record({
      attempt: index,
      after: fc.nat({ max: 3 }),
      limitBytes: fc.integer({ min: 1, max: 4 }),
    }),
    request: ({ attempt, ...rest }, world) => ({ ...rest, ...pickAttempt(world, attempt) }),
    // A read may stop a little earlier or later, so here it has no end; a tail may not.
    call: async (store, request) => ({
      read: await store.outputs.read({ ...request, limitBytes: 1_000_000 }),
      tail: await store.outputs.tail(request),
    }),
  }),
};

export const timeCommands = {
  advance: commandOf({
    name: 'advance',
    args: fc.constantFrom(1, 100, 300, 300, 500, 500, 1000, 1000, 2000, 6000, 60_000),
    request: (ms, world: World) => {
      world.now = new Date(world.now.getTime() + ms);
    },
    call: async () => null,
  }),

  sleepADay: commandOf({
    name: 'advance a day',
    args: fc.constant(24 * 3_600_000 + 1),
    request: (ms, world: World) => {
      world.now = new Date(world.now.getTime() + ms);
    },
    call: (store, _, { now }) => store.answers.purge({ now, limit: 2 }),
  }),
};
