import type { EngineContext } from '../engine/engine-context.ts';
import { type Service, serviceGroup } from '../service.ts';
import { createLeaseExpirer } from './lease-expirer.ts';
import { createRetentionSweeper } from './retention-sweeper.ts';

/** All duties, each safe to run in any number of processes at once. */
export function createMaintenance(context: EngineContext): Service {
  return serviceGroup('maintenance', [
    createLeaseExpirer(context),
    createRetentionSweeper(context),
  ]);
}
