/**
 * The only place that reaches for time. Everything else is handed a Clock, so
 * that tests and the simulation turn time by hand.
 */
export interface Clock {
  /** Wall-clock time. Decides nothing that a store's clock can decide. */
  now(): Date;
  /** Milliseconds that never go back; only differences mean anything. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`, unless disposed before. */
  after(ms: number, callback: () => void): Disposable;
  /** Resolves after the events that are waiting now were handled. */
  turn(): Promise<void>;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

function after(ms: number, callback: () => void): Disposable {
  const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** `sleep` made of `after`. */
export function sleepBy(after: Clock['after']): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        timer[Symbol.dispose]();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = after(ms, done);
      signal?.addEventListener('abort', done, { once: true });
    });
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after,
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  sleep: sleepBy(after),
};
