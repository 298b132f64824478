import { checkText, checkWhole } from '../domain/check.ts';
import { checkNameGiven } from '../domain/namespace.ts';
import type { Handle } from './engine-context.ts';
import type { LeaseOperations } from './lease-operations.ts';

const LONGEST_TTL_MS = 86_400_000;

export function createLeaseOperations(handle: Handle): LeaseOperations {
  const { store, namespace } = handle;
  const nameOf = (name: string): string => {
    checkNameGiven('lease', name);
    return leaseName(namespace, name);
  };
  return {
    async acquire(name, { holder, ttlMs }) {
      checkText('holder', holder, 255);
      checkWhole('ttlMs', ttlMs, { min: 1, max: LONGEST_TTL_MS });
      return store.leases.acquire({ name: nameOf(name), holder, ttlMs }, handle.step());
    },
    async release(name, holder) {
      await store.leases.release(nameOf(name), holder, handle.step());
    },
  };
}

/** A lease belongs to its namespace. Names hold no control characters, so this cannot collide. */
export function leaseName(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}
