import type { Clock, Queue } from '../../core/store/index.ts';

export type QueueName = Pick<Queue, 'namespace' | 'name'>;

/** Names hold no control characters, so the two cannot run into each other. */
export const toWord = ({ namespace, name }: QueueName): string => `${namespace}\n${name}`;

/** Queues by name as they were read a moment ago, for callers that can do with that. */
export interface RecentQueues {
  find(name: QueueName, maxAgeMs: number): Queue | null;
  /** Changes with every change of a queue by this process: what was read before is not noted. */
  version(): number;
  note(queues: Iterable<Queue>, version: number): void;
  forget(): void;
}

export function createRecentQueues(clock: Clock): RecentQueues {
  const known = new Map<string, { readonly queue: Queue; readonly atMs: number }>();
  let version = 0;
  return {
    version: () => version,
    find(name, maxAgeMs) {
      const recent = known.get(toWord(name));
      return recent && clock.monotonicMs() - recent.atMs < maxAgeMs ? recent.queue : null;
    },
    note(queues, readAt) {
      if (readAt !== version) return;
      const atMs = clock.monotonicMs();
      for (const queue of queues) known.set(toWord(queue), { queue, atMs });
    },
    forget() {
      version += 1;
      known.clear();
    },
  };
}
