import * as leases from '../../contract/lease-endpoints.ts';
import { type Route, route } from '../route.ts';

export const leaseRoutes: readonly Route[] = [
  route(leases.acquireLease, ({ engine, params, body }) =>
    engine.leases.acquire(params.lease, body),
  ),
  route(leases.releaseLease, ({ engine, params, body }) =>
    engine.leases.release(params.lease, body.holder),
  ),
];
