/** What a node has and wants, in tasks. */
export interface ClaimSituation {
  readonly slots: number;
  readonly running: number;
  /** In hand, without a slot. */
  readonly waiting: number;
  /** Asked for and not yet answered. */
  readonly requested: number;
  /** Worth having beyond the slots. */
  readonly ahead: number;
  /** Whether programs are wanted; they are never taken ahead. */
  readonly programs: boolean;
  /** The last answer gave all that was asked for, so there may be more. */
  readonly wasFull: boolean;
}

export interface PlannedClaim {
  readonly limit: number;
  readonly programs: boolean;
  /** Only one call at a time waits for work to come. */
  readonly waits: boolean;
}

export const LARGEST_CLAIM = 500;

/**
 * The calls to make now; [] for none.
 *
 * With nothing in line and nothing asked for, it asks at once. Otherwise it waits until half
 * of what is wanted is missing, so that calls stay large. Large wants become several calls,
 * which run side by side; where programs are wanted too, what goes beyond the free slots is a
 * call of its own that leaves them out.
 */
export function planClaims(situation: ClaimSituation): PlannedClaim[] {
  const { slots, running, waiting, requested, programs, wasFull } = situation;
  const wanted = slots + (wasFull ? situation.ahead : 0);
  const missing = wanted - running - waiting - requested;
  if (missing <= 0) return [];
  if (waiting + requested > 0 && missing * 2 < wanted) return [];

  const forSlots = Math.max(0, slots - running - waiting - requested);
  const first = Math.min(programs ? forSlots : missing, LARGEST_CLAIM);
  const plan: PlannedClaim[] = first > 0 ? [{ limit: first, programs, waits: true }] : [];
  for (let left = missing - first; left > 0; left -= LARGEST_CLAIM) {
    plan.push({ limit: Math.min(left, LARGEST_CLAIM), programs: false, waits: false });
  }
  return plan;
}
