/** When to renew a lease, and when to stop if that has not worked. */

export interface LeasePolicy {
  /** Renew at least this often, so that a request to stop is noticed in time; null: as the lease needs. */
  readonly renewMs: number | null;
}

const LONGEST_MARGIN_MS = 5000;

/** Two renewals may fail before the lease is in danger. */
export function renewalIntervalMs(leaseMs: number, { renewMs }: LeasePolicy): number {
  return Math.min(leaseMs / 3, renewMs ?? Number.POSITIVE_INFINITY);
}

/** Before the end of a lease that could not be renewed: the time in which what runs is stopped. */
export function stopMarginMs(leaseMs: number): number {
  return Math.min(leaseMs / 6, LONGEST_MARGIN_MS);
}

/** Of the time that is left, what a task gets to end by itself: the kill must come before the end of the lease. */
export function killGraceMs(leftMs: number): number {
  return Math.max(0, leftMs * 0.75);
}
