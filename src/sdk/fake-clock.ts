import { type Clock, sleepBy, systemClock } from '../core/index.ts';

/** Time that passes only when a test says so. */
export interface FakeClock extends Clock {
  /**
   * Lets `ms` pass: timers that come due fire in order of time, then of making, each at its
   * own instant. What a timer sets going (promises, `turn`) is finished before the next fires.
   */
  advance(ms: number): Promise<void>;
  /** Puts the wall clock forward or back, as people do. Timers and `monotonicMs` do not notice. */
  set(date: Date): void;
  /** Finishes what is going on without letting time pass. */
  settle(): Promise<void>;
}

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

const ENDLESS_TURNS = 10_000;

export function createFakeClock(start: Date): FakeClock {
  const timers = new Set<Timer>();
  let passedMs = 0;
  let wallOffsetMs = start.getTime();
  let turnCount = 0;

  function after(ms: number, callback: () => void): Disposable {
    const timer: Timer = { dueMs: passedMs + Math.max(ms, 0), callback };
    timers.add(timer);
    return { [Symbol.dispose]: () => void timers.delete(timer) };
  }

  function findNextTimer(untilMs: number): Timer | null {
    let next: Timer | null = null;
    for (const timer of timers) {
      if (timer.dueMs <= untilMs && (next === null || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }

  async function settle(): Promise<void> {
    for (let round = 0; round < ENDLESS_TURNS; round++) {
      const before = turnCount;
      await systemClock.turn();
      if (turnCount === before) return;
    }
    throw new Error(`Still busy after ${ENDLESS_TURNS} turns: something waits by turning.`);
  }

  return {
    now: () => new Date(wallOffsetMs + passedMs),
    monotonicMs: () => passedMs,
    after,
    turn() {
      turnCount += 1;
      return systemClock.turn();
    },
    sleep: sleepBy(after),
    settle,
    async advance(ms) {
      const untilMs = passedMs + ms;
      await settle();
      for (let timer = findNextTimer(untilMs); timer; timer = findNextTimer(untilMs)) {
        passedMs = Math.max(passedMs, timer.dueMs);
        timers.delete(timer);
        timer.callback();
        await settle();
      }
      passedMs = untilMs;
    },
    set(date) {
      wallOffsetMs = date.getTime() - passedMs;
    },
  };
}
