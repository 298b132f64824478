import type { LeaseStore } from '../../../src/core/store/index.ts';
import type { ModelSteps } from './model-steps.ts';

export interface HeldLeases {
  isHeldUnder(name: string, term: number, now: number): boolean;
}

interface LeaseRecord {
  /** null after it was given back. */
  holder: string | null;
  term: number;
  expiresAt: number;
}

export function createModelLeases({ take }: ModelSteps): LeaseStore & HeldLeases {
  const leases = new Map<string, LeaseRecord>();

  const isHeld = (lease: LeaseRecord | undefined, now: number): lease is LeaseRecord =>
    lease !== undefined && lease.holder !== null && lease.expiresAt > now;

  return {
    isHeldUnder(name, term, now) {
      const lease = leases.get(name);
      return isHeld(lease, now) && lease.term === term;
    },

    acquire: ({ name, holder, ttlMs }, step) =>
      take(step, (now) => {
        const lease = leases.get(name) ?? { holder: null, term: 0, expiresAt: now };
        leases.set(name, lease);
        const isOthers = isHeld(lease, now) && lease.holder !== holder;
        if (!isOthers) {
          if (lease.holder !== holder) lease.term += 1;
          lease.holder = holder;
          lease.expiresAt = now + ttlMs;
        }
        return {
          held: !isOthers,
          holder: lease.holder ?? holder,
          term: lease.term,
          expiresAt: new Date(lease.expiresAt),
        };
      }),

    release: (name, holder, step) =>
      take(step, (now) => {
        const lease = leases.get(name);
        if (!isHeld(lease, now) || lease.holder !== holder) return 'not-held';
        lease.holder = null;
        return 'released';
      }),
  };
}
