import type { Clock } from '../core/index.ts';

/** Lets a caller wait until something is so. Whoever changes anything calls `check`. */
export interface Conditions {
  /** Resolves when it is so, after `ms`, or when the signal aborts; says whether it is so. */
  until(isMet: () => boolean, limit: { ms: number; signal?: AbortSignal }): Promise<boolean>;
  check(): void;
}

export function createConditions(clock: Clock): Conditions {
  const waiting = new Map<AbortController, () => boolean>();
  return {
    check() {
      if (waiting.size === 0) return;
      for (const [met, isMet] of waiting) if (isMet()) met.abort();
    },
    async until(isMet, { ms, signal }) {
      const met = new AbortController();
      const giveUp = (): void => met.abort();
      if (isMet() || signal?.aborted) return isMet();
      signal?.addEventListener('abort', giveUp, { once: true });
      waiting.set(met, isMet);
      await clock.sleep(ms, met.signal);
      waiting.delete(met);
      signal?.removeEventListener('abort', giveUp);
      return isMet();
    },
  };
}
