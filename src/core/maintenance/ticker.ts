import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Service } from '../service.ts';

export interface Ticker {
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs: number;
  /** Says how long to wait before the next run, if not the usual time. */
  run(signal: AbortSignal): Promise<number | undefined>;
}

/** Runs a duty again and again. A run that fails is logged and tried again at the next tick. */
export function createTicker({ name, clock, logger, everyMs, run }: Ticker): Service {
  let stopping = new AbortController();
  let loop: Promise<void> | null = null;

  const tick = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      let waitMs = everyMs;
      try {
        waitMs = (await run(signal)) ?? everyMs;
      } catch (error) {
        logger.warn(`${name}.failed`, { error });
      }
      await clock.sleep(waitMs, signal);
    }
  };

  return {
    name,
    async start() {
      if (loop !== null) return;
      stopping = new AbortController();
      loop = tick(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await loop;
      loop = null;
    },
  };
}
