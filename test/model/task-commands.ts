import fc from 'fast-check';
import { HOLD_REASONS } from '../../src/core/domain/task.ts';
import { rankOf } from '../../src/core/rules/rank.ts';
import {
  type NewTask,
  OPERATOR_MOVES,
  type OperatorMove,
  TASK_STATES,
} from '../../src/core/store/index.ts';
import { UNIQUE_SCOPES } from '../../src/core/store/task-store.ts';
import { textBytes } from '../support/builders.ts';
import { givenOneIn, index, namespace, oneIn } from './chance.ts';
import { commandOf } from './store-command.ts';
import { newId, pickQueue, pickTask, type World } from './store-world.ts';

const states = givenOneIn(3, fc.subarray([...TASK_STATES]));
const key = fc.constantFrom('a', 'b', 'c', 'ü', '').map(textBytes);
const labels = fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2'), { maxKeys: 2 });
const indexes = fc.array(index, { minLength: 1, maxLength: 3 });

const limitKey = fc.constantFrom('', 't1', 't2');

export const params = fc.oneof(
  fc.record({ tenant: limitKey, host: limitKey }, { requiredKeys: [] }),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text)),
);

export const newTask = fc.record({
  key: oneIn(2, key),
  params,
  priority: fc.integer({ min: -1, max: 2 }),
  delayMs: oneIn(9, fc.constantFrom(0, 500, 2000, 60_000)),
  labels,
  hold: oneIn(9, fc.constantFrom(...HOLD_REASONS)),
  external: fc.constantFrom(...Array(9).fill(false), true),
  unique: oneIn(
    9,
    fc.record({ key: fc.constantFrom('u', 'v'), scope: fc.constantFrom(...UNIQUE_SCOPES) }),
  ),
});
export type DrawnTask = typeof newTask extends fc.Arbitrary<infer Value> ? Value : never;

/** Ranks are made as the engine would for a fifo queue; a change of order makes others. */
export function toNewTask(drawn: DrawnTask, world: World): NewTask {
  const id = newId(world);
  return { ...drawn, id, notBefore: null, rank: rankOf('fifo', id, drawn.key) };
}

export const taskCommands = {
  submit: commandOf({
    name: 'tasks.submit',
    repeatable: true,
    args: fc.record({
      queue: index,
      tasks: fc.array(newTask, { minLength: 1, maxLength: 4 }),
      onConflict: fc.constantFrom('replace', 'replace', 'skip', 'refuse'),
    }),
    request: ({ queue, tasks, onConflict }, world) => ({
      queueId: pickQueue(world, queue).id,
      tasks: tasks.map((task) => toNewTask(task, world)),
      onConflict,
    }),
    call: (store, submission, step) => store.tasks.submit(submission, step),
    note(world, answer) {
      if (answer.status !== 'submitted') return;
      const created = answer.tasks.filter(({ outcome }) => outcome === 'created');
      world.tasks.push(...created.map(({ id }) => id));
    },
  }),

  find: commandOf({
    name: 'tasks.find',
    args: fc.record({ task: index, namespace }),
    request: (args, world) => ({ namespace: args.namespace, id: pickTask(world, args.task) }),
    call: (store, { namespace, id }, step) => store.tasks.find(namespace, id, step),
  }),

  findByKey: commandOf({
    name: 'tasks.findByKey',
    args: fc.record({ queue: index, key }),
    request: (args, world) => ({ queueId: pickQueue(world, args.queue).id, key: args.key }),
    call: (store, { queueId, key }, step) => store.tasks.findByKey(queueId, key, step),
  }),

  list: commandOf({
    name: 'tasks.list',
    args: fc.record({
      namespace,
      states,
      labels: givenOneIn(3, labels),
      node: givenOneIn(5, fc.constantFrom('node-1', 'node-2')),
      hold: givenOneIn(5, fc.constantFrom(...HOLD_REASONS)),
      direction: fc.constantFrom('asc', 'desc'),
    }),
    request: (args) => args,
    async call(store, { namespace, ...filter }, step) {
      const found = [];
      for (let after: string | null = null; ; ) {
        const query = { ...filter, sort: 'id', after, limit: 4 } as const;
        const page = await store.tasks.list(namespace, query, step);
        found.push(...page.items);
        if (page.next === null) return found;
        after = page.next;
      }
    },
  }),

  move: commandOf({
    name: 'tasks.move',
    repeatable: true,
    args: fc.record({
      tasks: indexes,
      move: fc.constantFrom(...(Object.keys(OPERATOR_MOVES) as OperatorMove[])),
      onlyStates: givenOneIn(4, fc.subarray([...TASK_STATES])),
      namespace,
    }),
    request: ({ tasks, move, onlyStates, namespace }, world) => ({
      namespace,
      ids: tasks.map((task) => pickTask(world, task)),
      move,
      ...(onlyStates && { onlyStates }),
    }),
    call: (store, move, step) => store.tasks.move(move, step),
  }),

  edit: commandOf({
    name: 'tasks.edit',
    repeatable: true,
    args: fc.record({
      tasks: indexes,
      change: fc.record(
        {
          priority: fc.integer({ min: -1, max: 2 }),
          priorityBy: fc.integer({ min: -1, max: 1 }),
          params,
          labels,
        },
        { requiredKeys: [] },
      ),
      notBefore: fc.constantFrom(undefined, undefined, undefined, -1000, 0, 1000, 60_000, null),
    }),
    request: ({ tasks, change, notBefore }, world) => ({
      namespace: 'default',
      ids: tasks.map((task) => pickTask(world, task)),
      change: {
        ...change,
        ...(notBefore !== undefined && {
          notBefore: notBefore === null ? null : new Date(world.now.getTime() + notBefore),
        }),
      },
    }),
    call: (store, edit, step) => store.tasks.edit(edit, step),
  }),

  delete: commandOf({
    name: 'tasks.delete',
    repeatable: true,
    args: fc.record({ tasks: indexes, states }),
    request: ({ tasks, states }, world) => ({
      namespace: 'default',
      ids: tasks.map((task) => pickTask(world, task)),
      ...(states && { onlyStates: states }),
    }),
    call: (store, deletion, step) => store.tasks.delete(deletion, step),
  }),

  purge: commandOf({
    name: 'tasks.purge',
    args: fc.record({
      queue: index,
      states: fc.subarray([...TASK_STATES]),
      ageMs: fc.constantFrom(0, 3000),
    }),
    request: ({ queue, states, ageMs }, world) => ({
      queueId: pickQueue(world, queue).id,
      states,
      endedBefore: new Date(world.now.getTime() - ageMs),
      // Enough for all: which of those that ended at one instant go first is nobody's promise.
      limit: 1000,
    }),
    call: (store, purge, step) => store.tasks.purge(purge, step),
  }),

  position: commandOf({
    name: 'tasks.position',
    args: index,
    request: (task, world) => pickTask(world, task),
    call: (store, id, step) => store.tasks.position(id, 3, step),
  }),
};
