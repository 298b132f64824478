/** A task as its claim has left it. */
export interface FreshClaim {
  readonly row: number;
  readonly queue: number;
  readonly state: number;
  readonly fence: number;
  readonly tryCount: number;
  readonly node: number;
}

/**
 * What a claim has just written, so that the settle of a short task need not read it: a fifth of
 * what a drain costs. Whatever else writes a task's row takes it out of here first.
 */
export interface FreshClaims {
  add(id: string, claim: FreshClaim): void;
  take(id: string): FreshClaim | null;
  clear(): void;
}

/** Long tasks are read again; these are for what ends soon. */
const MOST_KEPT = 10_000;

export function createFreshClaims(): FreshClaims {
  const claims = new Map<string, FreshClaim>();
  return {
    add(id, claim) {
      if (claims.size >= MOST_KEPT) claims.clear();
      claims.set(id, claim);
    },
    take(id) {
      const claim = claims.get(id);
      if (claim === undefined) return null;
      claims.delete(id);
      return claim;
    },
    clear: () => claims.clear(),
  };
}
