import { describe, expect, it } from 'vitest';
import { createWorkPace } from './work-pace.ts';

function paceOf(...runsMs: readonly number[]) {
  const pace = createWorkPace({ slots: 10, maxAhead: 500 });
  for (const runMs of runsMs) pace.observe(runMs);
  return pace;
}

describe('the pace of work', () => {
  it('takes nothing ahead before the first task was seen', () => {
    expect(paceOf().takeAheadCount()).toBe(0);
  });

  it('takes about ten milliseconds of work ahead', () => {
    expect(paceOf(1).takeAheadCount()).toBe(100);
    expect(paceOf(5).takeAheadCount()).toBe(20);
  });

  it('takes nothing ahead of tasks that take longer than that', () => {
    expect(paceOf(10).takeAheadCount()).toBe(0);
    expect(paceOf(60_000).takeAheadCount()).toBe(0);
  });

  it('stays below its cap, however quick the tasks', () => {
    expect(paceOf(0).takeAheadCount()).toBe(500);
  });

  it('slows down at once for one slow task, and speeds up again after many quick ones', () => {
    const pace = paceOf(0, 0, 0, 1000);
    expect(pace.takeAheadCount()).toBe(0);

    for (let count = 0; count < 100; count += 1) pace.observe(0.01);

    expect(pace.takeAheadCount()).toBeGreaterThan(100);
  });

  it('takes nothing ahead while no task ends, for slow ones may hold every slot', () => {
    const pace = paceOf(1);

    expect([pace.takeAheadCount(), pace.takeAheadCount()]).toEqual([100, 0]);
  });

  it('takes nothing ahead after it was told to slow down', () => {
    const pace = paceOf(0);
    pace.slowDown();
    expect(pace.takeAheadCount()).toBe(0);
  });
});
