import type { Logger } from '../core/index.ts';
import { messageOf } from './engine-trouble.ts';

/** Whether the engine takes the node's calls, told once when one fails and once when all work again. */
export interface EngineLink {
  worked(call: EngineCall): void;
  failed(call: EngineCall, error: unknown): void;
}

export type EngineCall = 'heartbeat' | 'claim' | 'renew' | 'settle';

export function createEngineLink(logger: Logger, node: string): EngineLink {
  const failing = new Set<EngineCall>();
  return {
    worked(call) {
      if (failing.delete(call) && failing.size === 0) logger.info('engine.back', { node });
    },
    failed(call, error) {
      if (failing.size === 0) {
        logger.warn('engine.away', { node, call, error: messageOf(error) });
      }
      failing.add(call);
    },
  };
}
