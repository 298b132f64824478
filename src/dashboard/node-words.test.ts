import { describe, expect, it } from 'vitest';
import { NODE_REPORT_DEFAULTS, type Node as YardNode } from '../core/index.ts';
import { nodeCapacity, nodeCondition } from './node-words.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SOON = new Date(NOW.getTime() + 30_000);

function aNode(overrides: Partial<YardNode> = {}): YardNode {
  return {
    ...NODE_REPORT_DEFAULTS,
    id: '69a42bc0000000000000000f',
    namespace: 'default',
    name: 'node-1',
    active: true,
    wish: 'work',
    maxRunning: null,
    assignedVersion: 0,
    assignedAt: null,
    runningCount: 0,
    createdAt: NOW,
    heartbeatAt: NOW,
    expiresAt: SOON,
    ...overrides,
  };
}

describe('nodeCondition', () => {
  it.each([
    ['working', {}],
    ['draining', { wish: 'drain', runningCount: 1 }],
    ['drained', { wish: 'drain' }],
    ['cordoned', { wish: 'cordon' }],
    ['lost', { wish: 'drain', expiresAt: NOW }],
    ['gone', { active: false, expiresAt: NOW }],
  ] as const)('is %s for %j', (condition, overrides) => {
    expect(nodeCondition(aNode(overrides), NOW)).toBe(condition);
  });
});

describe('nodeCapacity', () => {
  it('is the lower of its slots and its limit', () => {
    expect(nodeCapacity(aNode({ slots: 8 }))).toBe(8);
    expect(nodeCapacity(aNode({ slots: 8, maxRunning: 2 }))).toBe(2);
    expect(nodeCapacity(aNode({ slots: 2, maxRunning: 8 }))).toBe(2);
  });
});
