import type { EngineContext } from '../engine/engine-context.ts';
import type { Service } from '../service.ts';
import { createTicker } from './ticker.ts';

const TASKS_PER_STEP = 1000;
const EVERY_MS = 1000;

/** Ends attempts whose lease ran out and readies delayed tasks, at most a second late where nobody asks. */
export function createLeaseExpirer(context: EngineContext): Service {
  const { store, clock, logger } = context;
  return createTicker({
    name: 'lease-expirer',
    clock,
    logger,
    everyMs: EVERY_MS,
    async run() {
      const { expired, readied } = await store.attempts.expireDue({
        ...context.step(),
        limit: TASKS_PER_STEP,
      });
      if (expired > 0) logger.warn('attempts.orphaned', { count: expired });
      return expired + readied >= TASKS_PER_STEP ? 0 : EVERY_MS;
    },
  });
}
