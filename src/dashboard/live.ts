/** Reading again and again: paused by the reader, resting in a hidden tab, patient while the server is away. */
import { effect, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { systemClock } from '../core/index.ts';
import { isAway, signInReason, toWords } from './session.ts';

export type Connection = 'connecting' | 'live' | 'away';

export const connection = signal<Connection>('connecting');
export const isPaused = signal(false);
const isHidden = signal(document.hidden);

document.addEventListener('visibilitychange', () => {
  isHidden.value = document.hidden;
});

const LONGEST_PATIENCE_MS = 5000;
const AFTER_ERROR_MS = 5000;

/** How long to rest after a reading; it may depend on what was read. */
export type Pace<Value> = number | ((value: Value) => number);

export interface LiveRequest<Value> {
  readonly everyMs: Pace<Value>;
  load(signal: AbortSignal): Promise<Value>;
  onValue(value: Value): void;
  /** null: what was wrong is over. */
  onError(words: string | null): void;
}

export interface Live extends Disposable {
  /** Reads at once, even when paused. */
  refresh(): void;
}

export function startLive<Value>(request: LiveRequest<Value>): Live {
  const stop = new AbortController();
  let wake = new AbortController();
  let failures = 0;

  const tryOnce = async (): Promise<number> => {
    try {
      const value = await request.load(stop.signal);
      if (stop.signal.aborted) return 0;
      failures = 0;
      connection.value = 'live';
      request.onValue(value);
      request.onError(null);
      return typeof request.everyMs === 'number' ? request.everyMs : request.everyMs(value);
    } catch (error) {
      if (stop.signal.aborted) return 0;
      const words = toWords(error);
      if (!isAway(error)) {
        connection.value = 'live';
        request.onError(words);
        return AFTER_ERROR_MS;
      }
      connection.value = 'away';
      failures += 1;
      return Math.min(LONGEST_PATIENCE_MS, 500 * 2 ** failures);
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const restMs = await tryOnce();
      await systemClock.sleep(restMs, wake.signal);
      if (!wake.signal.aborted) await mayGoOn(wake.signal);
      if (wake.signal.aborted && !stop.signal.aborted) wake = new AbortController();
    }
  };
  void run();

  return {
    refresh: () => wake.abort(),
    [Symbol.dispose]() {
      stop.abort();
      wake.abort();
    },
  };
}

/** Resolves when nothing speaks against reading, or when woken. */
function mayGoOn(wake: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    const done = (): void => {
      stop?.();
      resolve();
    };
    wake.addEventListener('abort', done, { once: true });
    stop = effect(() => {
      const waits = isPaused.value || isHidden.value || signInReason.value !== null;
      // Not from inside the effect: it cannot be stopped before it was made.
      if (!waits) queueMicrotask(done);
    });
  });
}

export interface LiveValue<Value> {
  readonly value: Value | null;
  readonly error: string | null;
  refresh(): void;
}

/** A component's own live value. When one of `about` changes it is read anew; until then the old one stays. */
export function useLive<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  everyMs: Pace<Value>,
  about: readonly unknown[],
): LiveValue<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [error, setError] = useState<string | null>(null);
  const live = useRef<Live | null>(null);
  const latestLoad = useRef(load);
  latestLoad.current = load;

  useEffect(() => {
    const started = startLive<Value>({
      everyMs,
      load: (signal) => latestLoad.current(signal),
      onValue: (next) => setValue(() => next),
      onError: setError,
    });
    live.current = started;
    return () => started[Symbol.dispose]();
  }, about);

  return { value, error, refresh: () => live.current?.refresh() };
}
