import type { Step } from './step.ts';

/** Named leases for leaders and controllers: at most one holder by the store's clock, with a growing term. */
export interface LeaseStore {
  /**
   * Takes the lease if it is free, over, or the holder's own (which renews it under the
   * same term, even when it is over); a change of holder raises the term, from 1 on. It is
   * over when its end has come. When another holds it: that one's holder, term and end.
   */
  acquire(request: LeaseRequest, step: Step): Promise<LeaseAnswer>;
  /** Gives it back; the term stays for the next holder to raise. Not the holder, or over: nothing changes. */
  release(name: string, holder: string, step: Step): Promise<'released' | 'not-held'>;
}

export interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export interface LeaseAnswer {
  readonly held: boolean;
  readonly holder: string;
  readonly term: number;
  readonly expiresAt: Date;
}
