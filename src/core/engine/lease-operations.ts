import type { LeaseAnswer } from '../store/lease-store.ts';

/** Leases for leaders and controllers, by name. */
export interface LeaseOperations {
  /** Takes or renews it; `held` says whether it is the holder's now. */
  acquire(name: string, request: { holder: string; ttlMs: number }): Promise<LeaseAnswer>;
  /** No error when it is not held. */
  release(name: string, holder: string): Promise<void>;
}
