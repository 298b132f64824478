import { describe, expect, it } from 'vitest';
import type { Engine } from '../../../../src/core/index.ts';
import { minutes } from '../../../support/builders.ts';
import type { EngineUnderTest } from '../engine-under-test.ts';
import { countsOf, expectRefusal, later, only, settle, stateOf } from '../scene.ts';
import {
  addOne,
  ask,
  askOne,
  defineQueue,
  expire,
  LEASE_MS,
  visibleData,
} from './coordinate-queue.ts';

export function attemptSemantics(subject: EngineUnderTest): void {
  describe('attempts', () => {
    it('[CS AttemptLifetime] an attempt is live, ends, and stays in the history of task and node', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit', { params: { from: 'add' } });

      const claim = await askOne(engine);
      const running = await engine.tasks.get(id);
      expect(running).toMatchObject({ state: 'running', attempt: { fence: claim.fence } });
      expect(await fencesOf(engine, 'worker')).toEqual({ live: [claim.fence], ended: [] });

      await settle(engine, claim, 'succeeded', { output: { from: 'finish' } });
      const finished = await engine.tasks.get(id);
      expect(finished).toMatchObject({ state: 'succeeded', fence: claim.fence });
      expect(visibleData(finished)).toEqual({ from: 'finish' });
      expect(await fencesOf(engine, 'worker')).toEqual({ live: [], ended: [claim.fence] });
      const history = await engine.attempts.list(id);
      expect(only(history)).toMatchObject({ node: 'worker', outcome: 'succeeded' });

      await engine.tasks.retry(id);
      const cleared = await engine.tasks.get(id);
      expect(cleared.state).toBe('queued');
      expect(visibleData(cleared)).toEqual({ from: 'add' });
      expect(await engine.attempts.list(id)).toEqual(history);
    });

    it('[CS AttemptMetadata] start, expiry and data follow the attempt through renewal to its end', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit', { params: { from: 'add' } });
      const start = clock.now();
      const claim = await askOne(engine);
      const attempt = async () => only(await engine.attempts.list(id));
      expect(await attempt()).toMatchObject({
        startedAt: start,
        endedAt: null,
        expiresAt: later(start, LEASE_MS),
      });
      expect(visibleData(await engine.tasks.get(id))).toEqual({ from: 'add' });

      await clock.advance(minutes(1));
      const held = { taskId: id, fence: claim.fence };
      await engine.attempts.renew([{ ...held, leaseMs: minutes(5), data: { from: 'renew' } }]);
      expect(await attempt()).toMatchObject({
        startedAt: start,
        endedAt: null,
        expiresAt: later(clock.now(), minutes(5)),
      });
      expect(visibleData(await engine.tasks.get(id))).toEqual({ from: 'renew' });

      await clock.advance(minutes(1));
      await settle(engine, claim, 'succeeded', { output: { from: 'finish' } });
      expect(await attempt()).toMatchObject({
        startedAt: start,
        endedAt: clock.now(),
        data: { from: 'finish' },
      });
    });

    it('[CS AttemptExpiration] a task whose lease ran out is given out again', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const first = await askOne(engine);
      expect(await ask(engine)).toEqual([]);

      await clock.advance(minutes(20));

      expect(await countsOf(engine, 'spec')).toEqual({ queued: 1 });
      expect(await stateOf(engine, id)).toBe('queued');
      expect(only(await engine.attempts.list(id)).outcome).toBe('orphaned');
      const second = await askOne(engine);
      expect(second.fence).toBeGreaterThan(first.fence);
      expect(await stateOf(engine, id)).toBe('running');
    });

    it('[CS AttemptFractionalStart] an attempt begun at half a second can be finished', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await clock.advance(500);
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');

      const claim = await askOne(engine);

      expect(claim.claimedAt).toEqual(clock.now());
      expect(await settle(engine, claim, 'succeeded')).toMatchObject({ status: 'applied' });
      expect(only(await engine.attempts.list(id)).startedAt).toEqual(clock.now());
    });

    it('[CS AttemptGone] attempts are gone with their task', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      await engine.tasks.delete(id);

      await expectRefusal(engine.attempts.list(id), 'TASK_NOT_FOUND', { task: id });
      expect(await settle(engine, claim, 'succeeded')).toMatchObject({
        status: 'lost',
        state: null,
      });
    });

    it('[CS Expire, beyond] giving up detaches a live attempt; given up or ended, it changes nothing', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      await expire(engine, claim);
      expect(await stateOf(engine, id)).toBe('queued');

      await expire(engine, claim);
      expect(only(await engine.attempts.list(id))).toMatchObject({ outcome: 'orphaned' });

      const second = await askOne(engine);
      await settle(engine, second, 'succeeded');
      const held = { taskId: id, fence: second.fence };
      const answers = await engine.attempts.renew([{ ...held, leaseMs: 0 }]);
      expect(only(answers).status).toBe('lost');
      expect(await stateOf(engine, id)).toBe('succeeded');
    });

    it('[CS Renew, beyond] a lease that ran out revives while nobody else took the task', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      await clock.advance(minutes(20));

      const held = { taskId: id, fence: claim.fence };
      const answer = only(await engine.attempts.renew([{ ...held, leaseMs: minutes(1) }]));

      expect(answer.status).toBe('held');
      expect(await stateOf(engine, id)).toBe('running');
    });

    it('[CS Finish, beyond] an attempt that ran out may still end while nobody else took the task', async () => {
      await using yard = await subject.open();
      const { engine, clock } = yard;
      await defineQueue(engine, 'spec');
      await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      await clock.advance(minutes(20));

      expect(await settle(engine, claim, 'succeeded')).toMatchObject({
        status: 'applied',
        state: 'succeeded',
      });
    });

    it('[CS Finish, beyond] an attempt that was superseded ends for itself only', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const first = await askOne(engine, { node: 'first' });
      await expire(engine, first);
      await askOne(engine, { node: 'second' });

      const answer = await settle(engine, first, 'succeeded', { output: { late: true } });

      expect(answer.status).toBe('late');
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'running',
        result: null,
        attempt: { node: 'second' },
      });
      expect((await engine.attempts.list(id))[0]).toMatchObject({
        outcome: 'orphaned',
        late: { outcome: 'succeeded', data: { late: true } },
      });
    });

    it('[CS Renew, beyond] a superseded attempt is told that its lease is lost', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const first = await askOne(engine);
      await expire(engine, first);
      await askOne(engine);

      const held = { taskId: id, fence: first.fence };
      const [answer] = await engine.attempts.renew([{ ...held, data: { stale: true } }]);

      expect(answer?.status).toBe('lost');
      expect((await engine.tasks.get(id)).result).toBeNull();
    });

    it('[CS Finish, beyond] success wins over an earlier failure, and failure never over success', async () => {
      await using yard = await subject.open();
      const { engine } = yard;
      await defineQueue(engine, 'spec');
      const id = await addOne(engine, 'spec', 'unit');
      const claim = await askOne(engine);
      await settle(engine, claim, 'failed', { final: true, error: 'killed' });

      const success = await settle(engine, claim, 'succeeded', { output: { done: true } });
      expect(success).toMatchObject({ status: 'applied', state: 'succeeded' });

      await settle(engine, claim, 'failed', { final: true });
      expect(await engine.tasks.get(id)).toMatchObject({
        state: 'succeeded',
        result: { done: true },
      });
    });
  });
}

async function fencesOf(engine: Engine, node: string) {
  const live = await engine.attempts.listByNode(node, { live: true });
  const ended = await engine.attempts.listByNode(node, { live: false });
  return {
    live: live.items.map(({ fence }) => fence),
    ended: ended.items.map(({ fence }) => fence),
  };
}
