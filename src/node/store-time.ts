/**
 * When, by this process's monotonic clock, an instant of the store's clock comes at
 * the earliest. An answer that took long to arrive (a stopped process, a long poll)
 * thus shows as old, whatever the wall clocks say.
 */
export interface StoreTime {
  /** `at` is the store's clock, read some time after the call was sent. */
  observe(at: Date, sentMs: number): void;
  /** null before the first observation. */
  toLocalMs(at: Date): number | null;
}

export function createStoreTime(): StoreTime {
  let offsetMs: number | null = null;
  return {
    observe(at, sentMs) {
      offsetMs = sentMs - at.getTime();
    },
    toLocalMs: (at) => (offsetMs === null ? null : at.getTime() + offsetMs),
  };
}
