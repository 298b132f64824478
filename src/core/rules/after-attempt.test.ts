import { describe, expect, it } from 'vitest';
import { QUEUE_DEFAULTS } from '../domain/queue.ts';
import { seededRandom } from '../random.ts';
import { afterAttempt } from './after-attempt.ts';
import { retryDelayMs } from './retry-delay.ts';

const attempt = {
  fence: 1,
  node: 'n',
  claimedAt: new Date(0),
  startedAt: new Date(0),
  expiresAt: null,
};
const task = { tryCount: 0, lossCount: 0, cancelRequestedAt: null, attempt };
const item = { taskId: 't', fence: 1 };
const random = seededRandom(1);

describe('what an ended attempt causes', () => {
  it('tries again until maxAttempts, then the task has failed', () => {
    const failed = { ...item, outcome: 'failed' as const };

    expect(afterAttempt(failed, { task, queue: QUEUE_DEFAULTS }, random).next.state).toBe('queued');
    expect(
      afterAttempt(failed, { task: { ...task, tryCount: 2 }, queue: QUEUE_DEFAULTS }, random).next
        .state,
    ).toBe('failed');
  });

  it('does not try again what is final', () => {
    const final = { ...item, outcome: 'failed' as const, final: true };

    expect(afterAttempt(final, { task, queue: QUEUE_DEFAULTS }, random).next.state).toBe('failed');
  });

  it('does not count a task that was handed back or goes on later', () => {
    const released = afterAttempt(
      { ...item, outcome: 'released' },
      { task, queue: QUEUE_DEFAULTS },
      random,
    );
    const again = afterAttempt(
      { ...item, outcome: 'succeeded', again: { delayMs: 5 } },
      { task, queue: QUEUE_DEFAULTS },
      random,
    );

    expect(released).toMatchObject({ counted: false, next: { state: 'queued', delayMs: 0 } });
    expect(again).toMatchObject({
      counted: false,
      outcome: 'continued',
      next: { state: 'queued', delayMs: 5 },
    });
  });

  it('terminates what ran and cancels what had not begun', () => {
    const stopped = { ...item, outcome: 'cancelled' as const };
    const notBegun = { ...task, attempt: { ...attempt, startedAt: null } };

    expect(afterAttempt(stopped, { task, queue: QUEUE_DEFAULTS }, random).next.state).toBe(
      'terminated',
    );
    expect(
      afterAttempt(stopped, { task: notBegun, queue: QUEUE_DEFAULTS }, random).next.state,
    ).toBe('cancelled');
  });

  it('waits anywhere between nothing and the grown base, never beyond the cap', () => {
    const policy = { baseMs: 1000, factor: 2, maxMs: 5000 };
    const delays = (tries: number) =>
      Array.from({ length: 500 }, () => retryDelayMs(policy, tries, random));

    expect(Math.max(...delays(1))).toBeLessThan(1000);
    expect(Math.max(...delays(3))).toBeGreaterThan(3000);
    expect(Math.max(...delays(9))).toBeLessThan(5000);
    expect(Math.min(...delays(9))).toBeLessThan(500);
  });
});
