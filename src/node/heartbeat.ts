import type { Clock, Node, NodeOperations, NodeReport } from '../core/index.ts';
import type { EngineLink } from './engine-link.ts';
import { mayPass } from './engine-trouble.ts';

/** Says that the node lives, and learns what is wanted of it. */
export interface Heartbeat {
  /** Resolves after the first beat that was heard; waits for an engine that is away. Rejects when refused. */
  start(): Promise<void>;
  /** Resolves when no beat is under way any more, so that a goodbye comes last. */
  stop(): Promise<void>;
}

export interface HeartbeatOptions {
  readonly nodes: Pick<NodeOperations, 'heartbeat'>;
  readonly name: string;
  readonly intervalMs: number;
  readonly ttlMs: number;
  readonly clock: Clock;
  readonly link: EngineLink;
  report(): Partial<NodeReport>;
  onBeat(node: Node, sentMs: number): void;
}

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { nodes, name, intervalMs, ttlMs, clock, link } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  let lastBeat: Promise<unknown> = Promise.resolve();

  const beat = async (): Promise<void> => {
    const sentMs = clock.monotonicMs();
    const beating = nodes.heartbeat(name, options.report(), { ttlMs });
    lastBeat = beating.catch(() => {});
    const node = await beating;
    link.worked('heartbeat');
    if (!signal.aborted) options.onBeat(node, sentMs);
  };
  const beatOn = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(intervalMs, signal);
      if (signal.aborted) return;
      await beat().catch((error: unknown) => link.failed('heartbeat', error));
    }
  };

  return {
    async start() {
      while (!signal.aborted) {
        try {
          await beat();
          void beatOn();
          return;
        } catch (error) {
          if (!mayPass(error)) throw error;
          link.failed('heartbeat', error);
          await clock.sleep(intervalMs, signal);
        }
      }
    },
    async stop() {
      stopping.abort();
      await lastBeat;
    },
  };
}
