import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../src/core/index.ts';
import { hours } from '../../support/builders.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { REPEATABLE, type RepeatableCase, type Setting } from './idempotency-cases.ts';
import { countsOf, expectRefusal, submitKeys } from './scene.ts';

const KEY = { idempotencyKey: 'once-and-for-all' };

export function idempotency(subject: EngineUnderTest): void {
  describe('an idempotency key', () => {
    for (const [group, cases] of Object.entries(REPEATABLE)) {
      for (const [name, one] of Object.entries(cases as Record<string, RepeatableCase>)) {
        it(`makes ${group}.${name} happen once and answer alike, and refuses another request`, async () => {
          await using yard = await subject.open();
          const setting = await openSetting(yard.engine);
          await one.prepare?.(setting);

          const answer = await one.call(setting, KEY);
          const then = await one.look(setting);
          if (one.refused) await expectRefusal(one.call(setting, KEY), one.refused);
          else expect(await one.call(setting, KEY)).toEqual(answer);
          expect(await one.look(setting)).toEqual(then);

          await expectRefusal(one.other(setting, KEY), 'KEY_REUSED', { key: KEY.idempotencyKey });
          expect(await one.look(setting)).toEqual(then);

          if (!one.meddle) return;
          await one.meddle(setting);
          const meddled = await one.look(setting);
          await one.call(setting, KEY);
          expect(await one.look(setting)).toEqual(meddled);
        });
      }
    }

    it('makes a call happen once, however many send it at once', async () => {
      await using yard = await subject.open();
      await yard.engine.queues.create('q');

      const answers = await Promise.all(
        Array.from({ length: 6 }, () => yard.engine.tasks.submit('q', [{}, {}], KEY)),
      );

      expect(await countsOf(yard.engine, 'q')).toEqual({ queued: 2 });
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    });

    it('does not keep a race that its call lost', async () => {
      await using yard = await subject.open();
      const { queues } = yard.engine;
      await queues.create('q');

      await Promise.all([
        ...[1, 2, 3, 4].map((n) => queues.set('q', { weight: n }, { idempotencyKey: `set-${n}` })),
        ...[1, 2, 3, 4].map((n) =>
          queues.define('q', { weight: n }, { idempotencyKey: `define-${n}` }),
        ),
      ]);

      expect((await queues.get('q')).revision).toBeGreaterThanOrEqual(9);
    });

    it('is forgotten after 24 hours', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await engine.queues.create('q');
      await engine.tasks.submit('q', [{}], KEY);
      await clock.advance(hours(23));
      await engine.tasks.submit('q', [{}], KEY);
      expect(await countsOf(engine, 'q')).toEqual({ queued: 1 });

      await clock.advance(hours(2));
      await engine.tasks.submit('q', [{}], KEY);

      expect(await countsOf(engine, 'q')).toEqual({ queued: 2 });
    });

    it('is kept apart by namespace and by who asks', async () => {
      await using yard = await subject.open();
      const others = [
        yard.engine.in('elsewhere'),
        await yard.as({ name: 'one', role: 'operator', namespaces: null }),
        await yard.as({ name: 'two', role: 'operator', namespaces: null }),
      ];
      await yard.engine.queues.create('q');
      await yard.engine.in('elsewhere').queues.create('q');
      await yard.engine.tasks.submit('q', [{}], KEY);

      for (const engine of others) await engine.tasks.submit('q', [{}], KEY);

      expect(await countsOf(yard.engine, 'q')).toEqual({ queued: 3 });
      expect(await countsOf(yard.engine.in('elsewhere'), 'q')).toEqual({ queued: 1 });
    });

    it('lets a bulk call go on where it stood', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await engine.queues.create('q');
      await submitKeys(
        engine,
        'q',
        Array.from({ length: 700 }, (_, i) => `k${i}`),
      );
      const request = {
        action: 'edit',
        filter: { queues: ['q'] },
        change: { priorityBy: 1 },
      } as const;
      const first = await engine.tasks.bulk(request, KEY);

      expect(await engine.tasks.bulk(request, KEY)).toEqual(first);

      const { items } = await engine.tasks.list({ queues: ['q'] }, { limit: 1000 });
      expect(new Set(items.map(({ priority }) => priority))).toEqual(new Set([1]));
    });
  });
}

async function openSetting(engine: Engine): Promise<Setting> {
  await engine.queues.create('q');
  await engine.queues.create('gated', { admission: 'gated' });
  const [task = '', otherTask = ''] = await submitKeys(engine, 'q', ['task', 'other']);
  await submitKeys(engine, 'gated', ['1', '2', '3']);
  for (const name of ['n1', 'n2']) await engine.nodes.heartbeat(name);
  return { ...engine, engine, task, otherTask };
}
