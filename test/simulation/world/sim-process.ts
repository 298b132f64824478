import type { Clock } from '../../../src/core/clock.ts';
import type { Timer, VirtualTime } from './virtual-time.ts';

/** Virtual time 0 on the store's clock. */
export const EPOCH_MS = Date.UTC(2026, 2, 1, 12);

/**
 * Something that can die and can be stopped: a server, a node, a client. All it does is
 * scheduled through it, so that the dead do nothing and the stopped do it later.
 */
export interface SimProcess {
  readonly name: string;
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  /** Its own wall clock is wrong and its timers run a little fast or slow. */
  readonly clock: Clock;
  schedule(ms: number, act: () => void): Timer;
  /** At once; when it goes on, if it is stopped; never, if it is dead. */
  receive(act: () => void): void;
  sleep(ms: number): Promise<void>;
  /** Stopped, as by SIGSTOP: afterwards it goes on as if nothing had happened. */
  pause(ms: number): void;
  resume(): void;
  kill(): void;
}

export interface ProcessOptions {
  readonly name: string;
  readonly skewMs: number;
  /** Its seconds per true second. */
  readonly rate: number;
}

export function createProcess(time: VirtualTime, options: ProcessOptions): SimProcess {
  const { name, skewMs, rate } = options;
  let isAlive = true;
  let pausedUntilMs = 0;
  let backlog: (() => void)[] = [];

  const wake = (): void => {
    if (pausedUntilMs > time.nowMs) return;
    const waiting = backlog;
    backlog = [];
    // Each in its own moment, in order.
    for (const act of waiting) time.after(0, act);
  };

  const receive = (act: () => void): void => {
    if (!isAlive) return;
    if (pausedUntilMs > time.nowMs) backlog.push(() => receive(act));
    else act();
  };

  const schedule = (ms: number, act: () => void): Timer => {
    let isCancelled = false;
    const fire = (): void => {
      if (!isCancelled) receive(act);
    };
    const timer = time.after(ms, fire);
    return {
      cancel() {
        isCancelled = true;
        timer.cancel();
      },
    };
  };
  const after = (ms: number, act: () => void): Disposable => {
    const timer = schedule(ms / rate, act);
    return { [Symbol.dispose]: () => timer.cancel() };
  };
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        timer[Symbol.dispose]();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = after(ms, done);
      signal?.addEventListener('abort', done, { once: true });
    });

  return {
    name,
    get isAlive() {
      return isAlive;
    },
    get isPaused() {
      return pausedUntilMs > time.nowMs;
    },
    clock: {
      now: () => new Date(EPOCH_MS + Math.floor(time.nowMs * rate) + skewMs),
      monotonicMs: () => time.nowMs * rate,
      after,
      sleep,
      turn: () => sleep(0),
    },
    schedule,
    receive,
    sleep: (ms) => sleep(ms),
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, time.nowMs + ms);
      time.after(ms, wake);
    },
    resume() {
      pausedUntilMs = time.nowMs;
      wake();
    },
    kill() {
      isAlive = false;
      backlog = [];
    },
  };
}
