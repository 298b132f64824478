import { acquireLease, releaseLease } from '../api/contract/lease-endpoints.ts';
import type { LeaseOperations } from '../core/index.ts';
import type { Connection } from './connection.ts';

export function remoteLeaseOperations({ call }: Connection, namespace: string): LeaseOperations {
  return {
    acquire: (lease, body) => call(acquireLease, { params: { namespace, lease }, body }),
    async release(lease, holder) {
      await call(releaseLease, { params: { namespace, lease }, body: { holder } });
    },
  };
}
