import { describe, expect, it } from 'vitest';
import {
  isFinal,
  OPERATOR_MOVES,
  type OperatorMove,
  type Store,
  TASK_STATES,
  type Task,
  type TaskState,
} from '../../../src/core/store/index.ts';
import {
  aClaim,
  after,
  anId,
  aSettlement,
  at,
  goTo,
  minutes,
  NOON,
  seconds,
  textBytes,
} from '../../support/builders.ts';
import {
  addClaimed,
  addQueue,
  addTask,
  changeQueue,
  claimOne,
  expectExactCounts,
  getTask,
  listAttempts,
} from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const LATER = after(NOON, seconds(1));

function move(store: Store, ids: readonly string[], name: OperatorMove, onlyStates?: TaskState[]) {
  const only = onlyStates && { onlyStates };
  return store.tasks.move({ namespace: 'default', ids, move: name, ...only }, at(LATER));
}

/** A task led to a state, with tries, a result and an error behind it where there can be. */
async function taskIn(store: Store, queue: { id: string }, state: TaskState): Promise<Task> {
  const { taskId, fence } = await addClaimed(store, queue);
  const settle = (settlement: Parameters<typeof aSettlement>[1], held: number = fence) =>
    store.attempts.settle('default', [aSettlement({ taskId, fence: held }, settlement)], at(NOON));
  const end = { outcome: 'orphaned', data: 1, error: 'x', code: 2 } as const;
  if (state === 'held') await settle({ ...end, next: goTo('held') });
  else if (state === 'delayed')
    await settle({ ...end, next: goTo('queued', { delayMs: minutes(1) }) });
  else if (isFinal(state)) await settle({ ...end, next: goTo(state as 'failed') });
  else {
    await settle({ ...end, next: goTo('queued') });
    if (state !== 'queued') await claimOne(store, queue, { start: state === 'running' });
  }
  const task = await getTask(store, taskId);
  expect(task.state).toBe(state);
  return task;
}

const CASES = Object.entries(OPERATOR_MOVES).flatMap(([name, moves]) =>
  TASK_STATES.map((from) => {
    const to = (moves as Partial<Record<TaskState, string>>)[from] ?? 'refused';
    return { name: name as OperatorMove, from, to };
  }),
);

export function moveConformance(subject: StoreUnderTest): void {
  describe('tasks.move', () => {
    it.each(CASES)(
      '$name: a task that is $from is, as the table says, $to',
      async ({ name, from, to }) => {
        await using store = await subject.open();
        const queue = await addQueue(store);
        const before = await taskIn(store, queue, from);

        const [answer] = await move(store, [before.id], name);

        const moved = await getTask(store, before.id, LATER);
        if (to === 'refused') {
          expect(answer).toEqual({ id: before.id, status: 'refused', state: from });
          expect(moved).toEqual(before);
        } else if (to === 'request') {
          expect(answer).toEqual({ id: before.id, status: 'requested', state: from });
          expect(moved).toEqual({ ...before, cancelRequestedAt: LATER, updatedAt: LATER });
        } else {
          const state = to === 'waiting' ? (moved.notBefore ? 'delayed' : 'queued') : to;
          expect(answer).toEqual({ id: before.id, status: 'moved', state });
          expect(moved).toMatchObject({
            state,
            attempt: null,
            updatedAt: LATER,
            fence: before.fence + 1,
          });
          expect(moved.endedAt).toEqual(isFinal(moved.state) ? LATER : null);
        }
        await expectExactCounts(store, LATER);
      },
    );

    it('answers once per id, in order, unknown ones and those of others as `missing`', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const theirs = await addTask(store, await addQueue(store, { namespace: 'theirs' }));
      const [mine, unknown] = [await addTask(store, queue), anId()];

      const answers = await move(store, [theirs, mine, unknown, mine], 'cancel');

      expect(answers).toEqual([
        { id: theirs, status: 'missing', state: null },
        { id: mine, status: 'moved', state: 'cancelled' },
        { id: unknown, status: 'missing', state: null },
        { id: mine, status: 'refused', state: 'cancelled' },
      ]);
    });

    it('leaves tasks alone that are in other states than `onlyStates`', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const queued = await addTask(store, queue);
      const held = await addTask(store, queue, { hold: 'operator' });

      const answers = await move(store, [queued, held], 'cancel', ['held', 'failed']);

      expect(answers).toEqual([
        { id: queued, status: 'refused', state: 'queued' },
        { id: held, status: 'moved', state: 'cancelled' },
      ]);
    });

    it('is as of now', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { leaseMs: seconds(1) });
      const { taskId } = await addClaimed(store, queue);

      expect(await move(store, [taskId], 'cancel')).toMatchObject([
        { status: 'moved', state: 'cancelled' },
      ]);
    });
  });

  describe('cancel', () => {
    it('ends the attempt of a claimed task as cancelled, uncounted, and takes its lease', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue, {}, { start: false });

      await move(store, [claim.taskId], 'cancel');

      expect(await getTask(store, claim.taskId, LATER)).toMatchObject({
        state: 'cancelled',
        lastOutcome: 'cancelled',
        tryCount: 0,
        claimCount: 1,
      });
      expect(await listAttempts(store, claim.taskId, LATER)).toMatchObject([
        { outcome: 'cancelled', endedAt: LATER, startedAt: null, error: null, code: null },
      ]);
      expect(await store.attempts.start('default', [claim], at(LATER))).toMatchObject([
        { status: 'lost' },
      ]);
    });

    it('asks a running task to stop, and keeps the instant it was asked first', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const claim = await addClaimed(store, queue);
      const { taskId, fence } = claim;

      expect(await move(store, [taskId], 'cancel')).toEqual([
        { id: taskId, status: 'requested', state: 'running' },
      ]);
      const again = { namespace: 'default', ids: [taskId], move: 'cancel' } as const;
      const [answer] = await store.tasks.move(again, at(after(LATER, 1000)));

      expect(answer?.status).toBe('requested');
      expect(await getTask(store, taskId, LATER)).toMatchObject({
        cancelRequestedAt: LATER,
        fence,
      });
      const renewal = [{ taskId, fence, leaseMs: 1000 }];
      expect(await store.attempts.renew('default', renewal, at(LATER))).toMatchObject([
        { status: 'cancelled', fence, expiresAt: after(LATER, 1000) },
      ]);
    });
  });

  describe('retry', () => {
    it('clears counters of tries and losses, result, error, code and a request to cancel', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const { id: taskId } = await taskIn(store, queue, 'running');
      await move(store, [taskId], 'cancel');
      const { fence } = await getTask(store, taskId, LATER);
      const end = { outcome: 'cancelled', data: 1, error: 'stopped', code: 9 } as const;
      await store.attempts.settle('default', [aSettlement({ taskId, fence }, end)], at(LATER));
      expect(await getTask(store, taskId, LATER)).toMatchObject({
        state: 'terminated',
        result: 1,
        error: 'stopped',
        code: 9,
        tryCount: 2,
        lossCount: 1,
        cancelRequestedAt: LATER,
      });

      await move(store, [taskId], 'retry');

      expect(await getTask(store, taskId, LATER)).toMatchObject({
        state: 'queued',
        result: null,
        error: null,
        code: null,
        tryCount: 0,
        lossCount: 0,
        claimCount: 2,
        cancelRequestedAt: null,
        endedAt: null,
        lastOutcome: 'cancelled',
      });
      expect(await listAttempts(store, taskId, LATER)).toHaveLength(2);
    });

    it('brings a delayed task forward', async () => {
      await using store = await subject.open();
      const id = await addTask(store, await addQueue(store), { delayMs: minutes(5) });

      await move(store, [id], 'retry');

      expect(await getTask(store, id, LATER)).toMatchObject({ state: 'queued', notBefore: null });
    });

    it('gives an ended task its place in the order the queue has by then', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { order: 'lifo' });
      const first = await addClaimed(store, queue, { key: textBytes('a') });
      await store.attempts.settle('default', [aSettlement(first)], at(NOON));
      await changeQueue(store, queue, { order: 'key' });
      const second = await addTask(store, queue, { key: textBytes('b'), rank: textBytes('b') });

      await move(store, [first.taskId], 'retry');

      const claims = await store.attempts.claim(aClaim({ queueId: queue.id, limit: 2 }), at(LATER));
      expect(claims.map(({ taskId }) => taskId)).toEqual([first.taskId, second]);
    });
  });

  describe('hold and release', () => {
    it('hold a task for the operator, whatever held it before', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store, { admission: 'gated' });
      const id = await addTask(store, queue);

      await move(store, [id], 'hold');

      expect(await getTask(store, id, LATER)).toMatchObject({ state: 'held', hold: 'operator' });
      expect(
        await store.queues.admit({ queueId: queue.id, limit: 9, lease: null }, at(LATER)),
      ).toEqual({
        admitted: 0,
      });
    });

    it('release a task to where it waits: its time, then its queue’s gate', async () => {
      await using store = await subject.open();
      const open = await addQueue(store);
      const gated = await addQueue(store, { admission: 'gated' });
      const delayed = await addTask(store, open, { delayMs: minutes(1) });
      const other = await addTask(store, gated, { hold: 'operator' });
      await move(store, [delayed], 'hold');

      expect(await move(store, [delayed, other], 'release')).toMatchObject([
        { status: 'moved', state: 'delayed' },
        { status: 'moved', state: 'held' },
      ]);
      expect((await getTask(store, other, LATER)).hold).toBe('admission');
    });
  });
}
