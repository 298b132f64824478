import type { TaskState } from '../domain/task.ts';
import { type EngineContext, storeNow } from '../engine/engine-context.ts';
import type { Service } from '../service.ts';
import { createTicker } from './ticker.ts';

const EVERY_MS = 60_000;
/** Small, so that a purge of millions never holds up a claim for long. */
const ROWS_PER_STEP = 500;

const FAILED: readonly TaskState[] = ['failed', 'cancelled', 'terminated', 'orphaned'];

/** Deletes finished tasks past their queue's retention, rows of deleted queues, and kept answers. */
export function createRetentionSweeper(context: EngineContext): Service {
  const { store, clock, logger } = context;

  const drain = async (signal: AbortSignal, purge: () => Promise<number>): Promise<number> => {
    let total = 0;
    for (;;) {
      const count = await purge();
      total += count;
      if (count < ROWS_PER_STEP || signal.aborted) return total;
      await clock.turn();
    }
  };

  return createTicker({
    name: 'retention-sweeper',
    clock,
    logger,
    everyMs: EVERY_MS,
    async run(signal) {
      const step = context.step();
      let tasks = await drain(signal, () => store.queues.purge({ ...step, limit: ROWS_PER_STEP }));
      await drain(signal, () => store.answers.purge({ ...step, limit: ROWS_PER_STEP }));
      const now = await storeNow(context);
      for (const { name } of await store.namespaces.list()) {
        for (const { queue, counts } of await store.queues.heads(name, step)) {
          const { succeededMs, failedMs } = queue.retention;
          const rules: [readonly TaskState[], number | null][] = [
            [['succeeded'], succeededMs],
            [FAILED, failedMs],
          ];
          for (const [states, keepMs] of rules) {
            if (keepMs === null || states.every((state) => counts[state] === 0)) continue;
            const endedBefore = new Date(now.getTime() - keepMs);
            const purge = { queueId: queue.id, states, endedBefore, limit: ROWS_PER_STEP };
            tasks += await drain(signal, () => store.tasks.purge(purge, step));
          }
        }
      }
      if (tasks > 0) logger.info('tasks.purged', { count: tasks });
      return undefined;
    },
  });
}
