import type { Clock, Queue, SettleRequest } from '../core/index.ts';
import type { HeldTask } from './held-task.ts';
import type { RunEnd, Runner } from './runners/runner.ts';
import { toSettlement } from './settlement.ts';
import type { Turns } from './turns.ts';
import type { WorkPace } from './work-pace.ts';

/** Where tasks run: a number of slots, and a short line of tasks waiting for one. */
export interface Slots {
  /** Puts a task in line; `fill` starts it. */
  offer(task: HeldTask): void;
  /** Starts tasks in free slots. What ends at once makes room at once. */
  fill(): void;
  /** Takes a task out of the line. False: it is not in it. */
  withdraw(task: HeldTask): boolean;
  /** Gives up a run that does not stop: its attempt ends, its slot stays taken until it does. */
  abandon(task: HeldTask): void;
  /** How many may run at once, if fewer than there are slots; null: no such limit. */
  setLimit(limit: number | null): void;
  count(): number;
  runningCount(): number;
  waitingCount(): number;
}

export interface SlotsOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly pace: WorkPace;
  findRunner(queue: Queue): Runner | null;
  onStart(task: HeldTask): void;
  /** Called once per task that was started. */
  onEnd(task: HeldTask, settlement: SettleRequest): void;
}

/** The event loop is the heartbeat's and the leases' too: after so long, they get their turn. */
const LONGEST_TURN_MS = 10;
const NO_RUNNER: RunEnd = { outcome: 'released', delayMs: 5000 };
const ABANDONED: RunEnd = {
  outcome: 'failed',
  error: 'The handler went on after its abort signal, so it was given up.',
};

export function createSlots(options: SlotsOptions): Slots {
  const { clock, turns, pace } = options;
  let count = options.count;
  let line: HeldTask[] = [];
  let next = 0;
  let runningCount = 0;
  let turnBeganMs = 0;

  const hasWaiting = (): boolean => next < line.length;
  const takeNext = (): HeldTask => {
    const task = line[next] as HeldTask;
    next += 1;
    if (next === line.length) {
      line = [];
      next = 0;
    }
    return task;
  };

  const handOn = (task: HeldTask, settlement: SettleRequest): void => {
    task.phase = 'ended';
    options.onEnd(task, settlement);
    turns.want();
  };
  /** The run is over; once its output is told, so is its end. */
  const close = (task: HeldTask, end: RunEnd, then: () => void): void => {
    task.phase = 'closing';
    const settlement = toSettlement(task, end);
    if (task.output === null) {
      handOn(task, settlement);
      then();
    } else {
      void task.output.close().then(() => {
        handOn(task, settlement);
        then();
      });
    }
  };
  const freeSlot = (): void => {
    runningCount -= 1;
  };
  const freeAndFill = (): void => {
    runningCount -= 1;
    fill();
  };
  const isGivenUp = (task: HeldTask): boolean => task.phase !== 'running';

  const start = (task: HeldTask): void => {
    const startedMs = clock.monotonicMs();
    const { maxRunMs, program } = task.queue;
    task.phase = 'running';
    if (maxRunMs !== null) task.deadlineMs = startedMs + maxRunMs;
    runningCount += 1;
    options.onStart(task);
    const end = options.findRunner(task.queue)?.run(task) ?? NO_RUNNER;
    if (!(end instanceof Promise)) {
      if (program === null) pace.observe(clock.monotonicMs() - startedMs);
      close(task, end, freeSlot);
      return;
    }
    void end.then((late) => {
      if (program === null) pace.observe(clock.monotonicMs() - startedMs);
      if (isGivenUp(task)) freeAndFill();
      else close(task, late, freeAndFill);
    });
  };
  const fill = (): void => {
    while (hasWaiting() && runningCount < count) {
      if (clock.monotonicMs() - turnBeganMs > LONGEST_TURN_MS) {
        turns.want();
        return;
      }
      start(takeNext());
    }
  };

  return {
    offer: (task) => void line.push(task),
    fill() {
      turnBeganMs = clock.monotonicMs();
      fill();
    },
    withdraw(task) {
      const index = line.indexOf(task, next);
      if (index !== -1) line.splice(index, 1);
      return index !== -1;
    },
    abandon: (task) => close(task, ABANDONED, () => {}),
    setLimit(limit) {
      count = Math.min(options.count, limit ?? options.count);
      turns.want();
    },
    count: () => count,
    runningCount: () => runningCount,
    waitingCount: () => line.length - next,
  };
}
