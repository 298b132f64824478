import type { Clock } from '../core/index.ts';

/** One timer for many instants: it calls back at the earliest that was wanted, and says how late it is. */
export interface DueTimer extends Disposable {
  /** An instant already covered by an earlier one costs a comparison. */
  want(atMs: number): void;
}

export function createDueTimer(
  clock: Clock,
  callback: (nowMs: number, lateMs: number) => void,
): DueTimer {
  let dueMs = Number.POSITIVE_INFINITY;
  let timer: Disposable | null = null;
  let disposed = false;

  const fire = (): void => {
    const nowMs = clock.monotonicMs();
    const lateMs = nowMs - dueMs;
    dueMs = Number.POSITIVE_INFINITY;
    timer = null;
    callback(nowMs, lateMs);
  };

  return {
    want(atMs) {
      if (atMs >= dueMs || disposed) return;
      timer?.[Symbol.dispose]();
      dueMs = atMs;
      timer = clock.after(Math.max(0, atMs - clock.monotonicMs()), fire);
    },
    [Symbol.dispose]() {
      disposed = true;
      timer?.[Symbol.dispose]();
    },
  };
}
