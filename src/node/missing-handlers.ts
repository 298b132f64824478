import type { Engine, Logger, Queue } from '../core/index.ts';
import { handlerName } from './handler.ts';

/** Warns once for each queue that has work this node would be asked for, if it had the handler. */
export interface MissingHandlers {
  /** Never rejects: an engine that is away is asked next time. */
  look(): Promise<void>;
}

export interface MissingHandlersOptions {
  readonly queues: Pick<Engine['queues'], 'counts' | 'find'>;
  readonly node: string;
  readonly handlers: readonly string[];
  readonly programs: boolean;
  /** Whether the node wants this queue at all. */
  wants(queue: Queue): boolean;
  readonly logger: Logger;
}

const MOST_PER_LOOK = 20;

export function createMissingHandlers(options: MissingHandlersOptions): MissingHandlers {
  const { queues, node, handlers, programs, logger } = options;
  const known = new Set<string>();

  const check = (queue: Queue, tasks: number): void => {
    if (!options.wants(queue)) return;
    const handler = handlerName(queue);
    if (handler === null && !programs) {
      logger.warn('node.no-programs', { node, queue: queue.name, tasks });
    } else if (handler !== null && !handlers.includes(handler)) {
      logger.warn('handler.missing', { node, queue: queue.name, handler, tasks });
    }
  };

  return {
    async look() {
      try {
        const ready = (await queues.counts()).filter(
          ({ queue, counts }) => counts.queued > 0 && !known.has(queue),
        );
        for (const { queue: name, counts } of ready.slice(0, MOST_PER_LOOK)) {
          const queue = await queues.find(name);
          known.add(name);
          if (queue) check(queue, counts.queued);
        }
      } catch {
        // The heartbeat says that the engine is away; this can wait.
      }
    },
  };
}
