import { describe, expect, it } from 'vitest';
import type { NewTask, UniqueScope } from '../../../src/core/store/index.ts';
import { aKeyedTask, aNewTask, aSettlement, at, NOON, textBytes } from '../../support/builders.ts';
import { addClaimed, addQueue, addTask, getTask, someCounts, submit } from './store-reading.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const unique = (key: string, scope: UniqueScope, task: Partial<NewTask> = {}) =>
  aNewTask({ ...task, unique: { key, scope } });

export function uniqueConformance(subject: StoreUnderTest): void {
  describe('submitting a unique key', () => {
    it.each([
      ['waiting', ['created', 'created', 'skipped']],
      ['unfinished', ['created', 'skipped', 'skipped']],
      ['forever', ['skipped', 'skipped', 'skipped']],
    ] as const)('while %s meets only tasks of that scope', async (scope, outcomes) => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const mark = (key: string) => ({ unique: { key, scope: 'forever' as const } });
      const ended = await addClaimed(store, queue, mark('ended'));
      await store.attempts.settle('default', [aSettlement(ended)], at(NOON));
      await addClaimed(store, queue, mark('live'));
      await addTask(store, queue, mark('waiting'));

      const tasks = ['ended', 'live', 'waiting'].map((key) => unique(key, scope));
      const answer = await submit(store, queue, tasks, 'skip');

      const submitted = answer.status === 'submitted' ? answer.tasks : [];
      expect(submitted.map(({ outcome }) => outcome)).toEqual(outcomes);
    });

    it('while waiting meets delayed and held tasks as well', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const scope = 'waiting';
      const delayed = unique('delayed', scope, { delayMs: 1000 });
      const held = unique('held', scope, { hold: 'operator' });
      await submit(store, queue, [delayed, held], 'refuse');

      const answer = await submit(
        store,
        queue,
        [unique('delayed', scope), unique('held', scope)],
        'skip',
      );

      expect(answer).toMatchObject({
        tasks: [
          { id: delayed.id, outcome: 'skipped' },
          { id: held.id, outcome: 'skipped' },
        ],
      });
    });

    it('with `refuse` says which task met which, and adds none of the call', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = unique('u', 'waiting');
      await submit(store, queue, [first], 'refuse');

      const answer = await submit(store, queue, [aNewTask(), unique('u', 'waiting')], 'refuse');

      expect(answer).toEqual({ status: 'refused', index: 1, id: first.id });
      expect(await someCounts(store, queue)).toEqual({ queued: 1 });
    });

    it('with `replace` replaces a waiting task and skips any other', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const live = await addClaimed(store, queue, {
        unique: { key: 'live', scope: 'unfinished' },
        params: 1,
      });
      const waiting = await addTask(store, queue, {
        unique: { key: 'waiting', scope: 'unfinished' },
        params: 1,
      });

      const answer = await submit(
        store,
        queue,
        [
          unique('live', 'unfinished', { params: 2 }),
          unique('waiting', 'unfinished', { params: 2 }),
        ],
        'replace',
      );

      expect(answer).toMatchObject({
        tasks: [
          { id: live.taskId, outcome: 'skipped' },
          { id: waiting, outcome: 'replaced' },
        ],
      });
      expect((await getTask(store, live.taskId)).params).toBe(1);
      expect((await getTask(store, waiting)).params).toBe(2);
    });

    it('meets the earlier one when it comes twice in one call', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const [one, two] = [unique('u', 'waiting'), unique('u', 'waiting')];

      const answer = await submit(store, queue, [one, two], 'skip');

      expect(answer).toMatchObject({
        tasks: [
          { id: one.id, outcome: 'created' },
          { id: one.id, outcome: 'skipped' },
        ],
      });
    });

    it('meets the one with the lowest id of several', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      const first = await addClaimed(store, queue, { unique: { key: 'u', scope: 'waiting' } });
      await addTask(store, queue, { unique: { key: 'u', scope: 'waiting' } });

      const answer = await submit(store, queue, [unique('u', 'unfinished')], 'skip');

      expect(answer).toMatchObject({ tasks: [{ id: first.taskId, outcome: 'skipped' }] });
    });

    it('looks at the key first', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);
      await addTask(store, queue, { unique: { key: 'u', scope: 'forever' } });
      const byKey = await addTask(store, queue, { key: textBytes('k') });

      const both = aKeyedTask('k', { unique: { key: 'u', scope: 'forever' } });

      expect(await submit(store, queue, [both], 'skip')).toMatchObject({
        tasks: [{ id: byKey, outcome: 'skipped' }],
      });
    });

    it('is looked for in its own queue only', async () => {
      await using store = await subject.open();
      const other = await addQueue(store);
      await addTask(store, other, { unique: { key: 'u', scope: 'forever' } });
      const queue = await addQueue(store);

      const answer = await submit(store, queue, [unique('u', 'forever')], 'refuse');

      expect(answer.status).toBe('submitted');
    });

    it('makes one task, however many submit it at once', async () => {
      await using store = await subject.open();
      const queue = await addQueue(store);

      await Promise.all(
        Array.from({ length: 8 }, () => submit(store, queue, [unique('u', 'unfinished')], 'skip')),
      );

      expect(await someCounts(store, queue)).toEqual({ queued: 1 });
    });
  });
}
