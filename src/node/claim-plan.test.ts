import { describe, expect, it } from 'vitest';
import { type ClaimSituation, planClaims } from './claim-plan.ts';

function plan(situation: Partial<ClaimSituation>) {
  return planClaims({
    slots: 10,
    running: 0,
    waiting: 0,
    requested: 0,
    ahead: 0,
    programs: false,
    wasFull: true,
    ...situation,
  });
}

describe('a plan of claims', () => {
  it('asks for as many tasks as there are free slots, and waits for them', () => {
    expect(plan({ running: 4 })).toEqual([{ limit: 6, programs: false, waits: true }]);
  });

  it('asks for nothing when all slots are taken or asked for', () => {
    expect(plan({ running: 10 })).toEqual([]);
    expect(plan({ running: 4, requested: 6 })).toEqual([]);
    expect(plan({ running: 12 })).toEqual([]);
    expect(plan({ slots: 0 })).toEqual([]);
  });

  it('takes quick tasks ahead, in several calls of which one waits', () => {
    expect(plan({ ahead: 990 })).toEqual([
      { limit: 500, programs: false, waits: true },
      { limit: 500, programs: false, waits: false },
    ]);
  });

  it('takes nothing ahead unless the last answer was full', () => {
    expect(plan({ ahead: 990, wasFull: false })).toEqual([
      { limit: 10, programs: false, waits: true },
    ]);
  });

  it('never takes programs ahead', () => {
    expect(plan({ ahead: 90, programs: true, running: 3 })).toEqual([
      { limit: 7, programs: true, waits: true },
      { limit: 90, programs: false, waits: false },
    ]);
    expect(plan({ ahead: 90, programs: true, running: 10 })).toEqual([
      { limit: 90, programs: false, waits: false },
    ]);
  });

  it('waits until half is missing while there is still something in line', () => {
    expect(plan({ ahead: 90, running: 10, waiting: 50 })).toEqual([]);
    expect(plan({ ahead: 90, running: 10, waiting: 30 })).toEqual([
      { limit: 60, programs: false, waits: true },
    ]);
  });
});
