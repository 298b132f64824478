import { describe, expect, it } from 'vitest';
import { QUEUE_DEFAULTS, type Queue } from '../domain/queue.ts';
import { noCounts, type TaskState } from '../domain/task.ts';
import { seededRandom } from '../random.ts';
import type { QueueHead } from '../store/queue-store.ts';
import { chooseQueues } from './queue-choice.ts';

const EPOCH = new Date(0);

function head(
  name: string,
  queue: Partial<Queue>,
  counts: Partial<Record<TaskState, number>> = { queued: 10 },
): QueueHead {
  const identity = {
    id: name,
    namespace: '',
    name,
    revision: 1,
    createdAt: EPOCH,
    updatedAt: EPOCH,
  };
  return {
    queue: { ...QUEUE_DEFAULTS, ...identity, nextContinuousAt: null, ...queue },
    counts: { ...noCounts(), ...counts },
  };
}

/** How often each queue is drawn first, over many draws. */
function shares(heads: readonly QueueHead[], draws = 4000): Record<string, number> {
  const random = seededRandom(7);
  const shares: Record<string, number> = {};
  for (let i = 0; i < draws; i++) {
    const [pick] = chooseQueues(heads, { limit: 1, oneQueue: true, random });
    const name = pick?.head.queue.name ?? 'none';
    shares[name] = (shares[name] ?? 0) + 1 / draws;
  }
  return shares;
}

describe('the choice of queues', () => {
  it('takes only from the highest priority that has work', () => {
    const heads = [
      head('low', {}),
      head('empty', { priority: 9 }, {}),
      head('high', { priority: 1 }),
    ];

    expect(shares(heads)).toEqual({ high: expect.closeTo(1) });
  });

  it('draws by weight when nothing is live', () => {
    const drawn = shares([head('a', { weight: 1 }), head('b', { weight: 10 })]);

    expect(drawn.a).toBeCloseTo(1 / 11, 1);
    expect(drawn.b).toBeCloseTo(10 / 11, 1);
  });

  it('lets live tasks weigh against their queue', () => {
    const drawn = shares([
      head('a', { weight: 1 }),
      head('b', { weight: 10 }, { queued: 10, running: 2 }),
    ]);

    expect(drawn.a).toBeCloseTo(3 / 11, 1);
  });

  it('gives nothing to a queue that is over its share', () => {
    const drawn = shares([
      head('a', { weight: 10 }),
      head('b', { weight: 10 }, { queued: 1, running: 5 }),
    ]);

    expect(drawn).toEqual({ a: expect.closeTo(1) });
  });

  it('spreads one large claim by weight', () => {
    const heads = [
      head('a', { weight: 1 }, { queued: 500 }),
      head('b', { weight: 3 }, { queued: 500 }),
    ];

    const picks = chooseQueues(heads, { limit: 160, oneQueue: false, random: seededRandom(1) });

    const counts = Object.fromEntries(picks.map((pick) => [pick.head.queue.name, pick.count]));
    expect(counts.a).toBeGreaterThanOrEqual(30);
    expect(counts.a).toBeLessThanOrEqual(50);
    expect((counts.a ?? 0) + (counts.b ?? 0)).toBe(160);
  });

  it('fills up from lower priorities when the highest runs out', () => {
    const heads = [head('high', { priority: 1 }, { queued: 3 }), head('low', {}, { queued: 9 })];

    const picks = chooseQueues(heads, { limit: 10, oneQueue: false, random: seededRandom(1) });

    expect(picks.map((pick) => [pick.head.queue.name, pick.count])).toEqual([
      ['high', 3],
      ['low', 7],
    ]);
  });

  it('keeps within maxRunning and maxPerClaim', () => {
    const heads = [
      head('a', { maxRunning: 5 }, { queued: 9, running: 3 }),
      head('b', { priority: -1, maxPerClaim: 2 }),
    ];

    const picks = chooseQueues(heads, { limit: 100, oneQueue: false, random: seededRandom(1) });

    expect(picks.map((pick) => pick.count)).toEqual([2, 2]);
  });
});
