import type { Logger } from '../core/index.ts';
import { messageOf } from './engine-trouble.ts';

/** Whether the engine can be reached, told once when it goes and once when it is back. */
export interface EngineLink {
  worked(): void;
  failed(call: string, error: unknown): void;
}

export function createEngineLink(logger: Logger, node: string): EngineLink {
  let isAway = false;
  return {
    worked() {
      if (!isAway) return;
      isAway = false;
      logger.info('engine.back', { node });
    },
    failed(call, error) {
      if (isAway) return;
      isAway = true;
      logger.warn('engine.away', { node, call, error: messageOf(error) });
    },
  };
}
