import type { Clock } from '../../core/store/index.ts';

/** Where processes got into each other's way a short while ago. */
export interface Crowds {
  note(name: string): void;
  has(name: string): boolean;
}

const REMEMBERED_MS = 5000;

export function createCrowds(clock: Clock): Crowds {
  const seen = new Map<string, number>();
  return {
    note: (name) => void seen.set(name, clock.monotonicMs() + REMEMBERED_MS),
    has(name) {
      const until = seen.get(name);
      if (until !== undefined && until > clock.monotonicMs()) return true;
      seen.delete(name);
      return false;
    },
  };
}
