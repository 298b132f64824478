import { describe, expect, it } from 'vitest';
import { QUEUE_DEFAULTS, type Queue } from '../core/index.ts';
import { limitsText, queueSayings } from './queue-words.ts';

const AT = new Date('2026-03-01T12:00:00Z');

function aQueue(overrides: Partial<Queue> = {}): Queue {
  return {
    ...QUEUE_DEFAULTS,
    id: '69a42bc0000000000000000f',
    namespace: 'default',
    name: 'thumbs',
    nextContinuousAt: null,
    revision: 1,
    createdAt: AT,
    updatedAt: AT,
    ...overrides,
  };
}

function sayings(overrides: Partial<Queue> = {}): Record<string, string> {
  return Object.fromEntries(
    queueSayings(aQueue(overrides)).map(({ about, text }) => [about, text]),
  );
}

describe('queueSayings', () => {
  it('says what a plain queue does', () => {
    expect(sayings()).toEqual({
      Runs: 'Handler thumbs',
      'At once': 'As many as the nodes have slots',
      Order: 'First in, first out; priority 0, weight 20',
      Tries: 'Up to 3 times, again after about 1 s, then × 2 up to 1 h',
      'If a node is lost':
        'The task goes back to the queue when 30 s pass without a sign of life; held after 3 losses',
      Keeps: 'Succeeded tasks 7 d, failed ones 30 d; 16 MiB of output per attempt',
    });
  });

  it('shows a program as it could be typed', () => {
    const program = { argv: ['convert', '{item}', "it's here"], cwd: null, env: {} };

    expect(sayings({ program }).Runs).toBe("Program convert {item} 'it'\\''s here'");
  });

  it('says what else was set', () => {
    const said = sayings({
      maxAttempts: 1,
      maxRunMs: 600_000,
      nodesOnly: ['a', 'b'],
      admission: 'gated',
      nextQueue: 'upload',
      retention: { succeededMs: null, failedMs: null },
    });

    expect(said).toMatchObject({
      Tries: 'Once',
      'Time limit': 'An attempt is stopped after 10 min',
      Nodes: 'Only a, b',
      Gate: 'Tasks wait until the queue admits them',
      'Passes on to': 'upload',
      Keeps: 'Ended tasks for ever; 16 MiB of output per attempt',
    });
  });
});

describe('limitsText', () => {
  it('names every limit in few words', () => {
    const limits = [
      { name: 'tenant', by: 'tenant', max: 4, perMs: null },
      { name: 'host', by: 'host', max: 100, perMs: 60_000 },
    ];

    expect(limitsText(aQueue({ maxRunning: 8, maxRunningPerNode: 2, limits }))).toBe(
      'at most 8, 2 per node, 4 per tenant, 100 per host in 1 min',
    );
    expect(limitsText(aQueue())).toBe('');
  });
});
