import fc from 'fast-check';
import { HOLD_REASONS } from '../../src/core/domain/task.ts';
import {
  ATTEMPT_OUTCOMES,
  type AttemptRef,
  type Claim,
  type Next,
  type Settlement,
} from '../../src/core/store/index.ts';
import { textBytes } from '../support/builders.ts';
import { index, namespace, oneIn } from './chance.ts';
import { commandOf } from './store-command.ts';
import {
  pickAttempt,
  pickContinuous,
  pickLive,
  pickQueue,
  pickTask,
  type StorePair,
  type World,
} from './store-world.ts';
import { newTask, params, toNewTask } from './task-commands.ts';

const node = fc.constantFrom('node-1', 'node-1', 'node-2', 'node-3');
const token = oneIn(3, fc.constantFrom('call-1', 'call-2', 'call-3'));
const leaseMs = fc.constantFrom(null, null, 700, 4000);
const claimer = { node, start: fc.boolean(), leaseMs };
const data = fc.constantFrom(undefined, undefined, null, 1, 2);
const when = <Value>(name: string, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

/** Which attempt: mostly one that lives, also stale ones, whichever lives, and one that never was. */
const HOLDERS = ['live', 'live', 'live', 'live', 'known', 'current', 'ahead'] as const;
const ref = fc.record({ number: index, holder: fc.constantFrom(...HOLDERS) });

async function toRef(
  { number, holder }: { readonly number: number; readonly holder: (typeof HOLDERS)[number] },
  world: World,
  pair: StorePair,
): Promise<AttemptRef> {
  if (holder === 'live') return pickLive(world, pair, number);
  const { taskId, fence } = pickAttempt(world, number);
  return { taskId, fence: holder === 'current' ? null : fence + (holder === 'ahead' ? 1 : 0) };
}

function noteClaims(world: World, claims: readonly Claim[]): void {
  for (const { taskId, fence } of claims) {
    const isKnown = world.attempts.some((one) => one.taskId === taskId && one.fence === fence);
    if (!isKnown) world.attempts.push({ taskId, fence });
    if (!world.tasks.includes(taskId)) world.tasks.push(taskId);
  }
}

const next: fc.Arbitrary<Next> = fc.record({
  state: fc.constantFrom(
    'succeeded',
    'succeeded',
    'failed',
    'queued',
    'queued',
    'held',
    'orphaned',
    'terminated',
    'cancelled',
  ),
  delayMs: fc.constantFrom(0, 0, 1500),
  hold: oneIn(2, fc.constantFrom(...HOLD_REASONS)),
});

const settlement = fc.record({
  ref,
  outcome: fc.constantFrom(...ATTEMPT_OUTCOMES, 'succeeded', 'succeeded', 'failed'),
  next,
  counted: fc.boolean(),
  data,
  error: fc.constantFrom(null, 'boom'),
  code: fc.constantFrom(null, 0, 3),
  emit: fc.array(
    fc.record({ queue: index, task: newTask, onConflict: fc.constantFrom('replace', 'skip') }),
    { maxLength: 2 },
  ),
  again: oneIn(
    4,
    fc.record({
      rank: fc.constantFrom('0', 'i', 'z'),
      params: fc.option(params, { nil: undefined }),
    }),
  ),
});

export const attemptCommands = {
  claim: commandOf({
    name: 'attempts.claim',
    args: fc.record({
      ...claimer,
      token,
      namespace,
      limit: fc.integer({ min: 1, max: 5 }),
      picks: fc.array(fc.record({ queue: index, count: fc.integer({ min: 1, max: 4 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    request: ({ picks, ...rest }, world) => ({
      ...rest,
      picks: picks.map(({ queue, count }) => ({ queueId: pickQueue(world, queue).id, count })),
    }),
    call: (store, request, step) => store.attempts.claim(request, step),
    note: noteClaims,
  }),

  claimTask: commandOf({
    name: 'attempts.claimTask',
    args: fc.record({
      ...claimer,
      task: index,
      force: fc.boolean(),
      assignedVersion: oneIn(4, fc.nat({ max: 2 })),
      namespace,
    }),
    request: ({ task, ...rest }, world) => ({ ...rest, taskId: pickTask(world, task) }),
    call: (store, request, step) => store.attempts.claimTask(request, step),
    note(world, answer) {
      if (answer.status === 'claimed') noteClaims(world, [answer.claim]);
    },
  }),

  claimContinuous: commandOf({
    name: 'attempts.claimContinuous',
    args: fc.record({
      ...claimer,
      token,
      queue: index,
      task: newTask,
      isWrong: fc.constantFrom(false, false, false, true),
    }),
    async request({ queue, task, isWrong, ...rest }, world, { model }) {
      const known = pickContinuous(world, queue);
      const found = await model.queues.find(known.namespace, known.name);
      const expectedNextAt = isWrong ? world.now : (found?.nextContinuousAt ?? null);
      return { ...rest, queueId: known.id, expectedNextAt, task: toNewTask(task, world) };
    },
    call: (store, request, step) => store.attempts.claimContinuous(request, step),
    note: (world, claim) => noteClaims(world, claim ? [claim] : []),
  }),

  start: commandOf({
    name: 'attempts.start',
    args: fc.record({ namespace, refs: fc.array(ref, { minLength: 1, maxLength: 3 }) }),
    request: async ({ namespace, refs }, world, pair) => ({
      namespace,
      items: await Promise.all(refs.map((one) => toRef(one, world, pair))),
    }),
    call: (store, { namespace, items }, step) => store.attempts.start(namespace, items, step),
  }),

  renew: commandOf({
    name: 'attempts.renew',
    args: fc.record({
      namespace,
      items: fc.array(fc.record({ ref, leaseMs: fc.constantFrom(0, 300, 3000, 30_000), data }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
    request: async ({ namespace, items }, world, pair) => ({
      namespace,
      items: await Promise.all(
        items.map(async (one) => ({
          ...(await toRef(one.ref, world, pair)),
          leaseMs: one.leaseMs,
          ...when('data', one.data),
        })),
      ),
    }),
    call: (store, { namespace, items }, step) => store.attempts.renew(namespace, items, step),
  }),

  settle: commandOf({
    name: 'attempts.settle',
    args: fc.record({ namespace, items: fc.array(settlement, { minLength: 1, maxLength: 3 }) }),
    async request({ namespace, items }, world, pair) {
      const settlements: Settlement[] = [];
      for (const { ref, data, emit, again, ...rest } of items) {
        settlements.push({
          ...rest,
          ...(await toRef(ref, world, pair)),
          ...when('data', data),
          emit: emit.map(({ queue, task, onConflict }) => ({
            queueId: pickQueue(world, queue).id,
            task: toNewTask(task, world),
            onConflict,
          })),
          again: again && { rank: textBytes(again.rank), ...when('params', again.params) },
        });
      }
      return { namespace, items: settlements };
    },
    call: (store, { namespace, items }, step) => store.attempts.settle(namespace, items, step),
    note(world, answers, { items }) {
      for (const [at, { emit }] of items.entries()) {
        if (answers[at]?.status === 'applied') world.tasks.push(...emit.map(({ task }) => task.id));
      }
    },
  }),

  expireDue: commandOf({
    name: 'attempts.expireDue',
    // Enough for all: which of those that are due at one instant come first is nobody's promise.
    args: fc.constant(1000),
    request: (limit) => limit,
    call: (store, limit, { now }) => store.attempts.expireDue({ now, limit }),
  }),

  list: commandOf({
    name: 'attempts.list',
    args: index,
    request: (task, world) => pickTask(world, task),
    call: (store, id, step) => store.attempts.list('default', id, step),
  }),
};
