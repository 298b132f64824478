import { describe, expect, it } from 'vitest';
import {
  type Engine,
  type OnConflict,
  UNIQUE_SCOPES,
  type UniqueScope,
} from '../../../src/core/index.ts';
import { hours } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { claimOne, countsOf, expectRefusal, only, settle } from './scene.ts';

/** Whether another task of the same unique key may come in, once the first is waiting, running and ended. */
const ROOM: Record<UniqueScope, [boolean, boolean, boolean]> = {
  waiting: [false, true, true],
  unfinished: [false, false, true],
  forever: [false, false, false],
};

export function uniqueTasks(subject: EngineUnderTest): void {
  describe('unique', () => {
    for (const scope of UNIQUE_SCOPES) {
      it(`while ${scope}: at most one task of the key in that scope`, async () => {
        await using yard = await subject.open();
        const { engine } = yard;
        await engine.queues.create('q');
        const another = async () =>
          (await submitUnique(engine, scope, { onConflict: 'skip' })).outcome;
        const [whenWaiting, whenRunning, whenEnded] = ROOM[scope].map((room) =>
          room ? 'created' : 'skipped',
        );
        await submitUnique(engine, scope);
        expect(await another()).toBe(whenWaiting);

        const held = await claimOne(engine);
        expect(await another()).toBe(whenRunning);
        await engine.tasks.bulk({ action: 'cancel', filter: { states: ['queued'] } });

        await settle(engine, held, 'succeeded');
        expect(await another()).toBe(whenEnded);
      });
    }

    it('refuses a second one by default, and says which task is in the way', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const { id } = await submitUnique(engine, 'unfinished');

      const second = submitUnique(engine, 'unfinished');

      await expectRefusal(second, 'TASK_EXISTS', { queue: 'q', task: id });
      expect(await countsOf(engine, 'q')).toEqual({ queued: 1 });
    });

    it('with replace puts the new fields in a waiting task, and skips otherwise', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      const first = await submitUnique(engine, 'unfinished', { onConflict: 'replace', params: 1 });

      expect(
        await submitUnique(engine, 'unfinished', { onConflict: 'replace', params: 2 }),
      ).toEqual({
        id: first.id,
        outcome: 'replaced',
      });
      await claimOne(engine);
      expect(
        (await submitUnique(engine, 'unfinished', { onConflict: 'replace', params: 3 })).outcome,
      ).toBe('skipped');

      expect((await engine.tasks.get(first.id)).params).toBe(2);
    });

    it('counts delayed and held tasks as waiting', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      for (const [key, more] of Object.entries({
        late: { delayMs: hours(1) },
        held: { hold: true },
      })) {
        const unique = { key, while: 'waiting' as const };
        await engine.tasks.submit('q', [{ unique, ...more }]);

        const [second] = await engine.tasks.submit('q', [{ unique }], { onConflict: 'skip' });

        expect(second?.outcome).toBe('skipped');
      }
    });
  });
}

async function submitUnique(
  engine: Engine,
  scope: UniqueScope,
  {
    onConflict = 'refuse',
    params = null,
  }: { onConflict?: OnConflict; params?: number | null } = {},
) {
  const task = { params, unique: { key: 'only-one', while: scope } };
  return only(await engine.tasks.submit('q', [task], { onConflict }));
}
