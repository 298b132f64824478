import type { Queue, QueueSettings } from '../../core/store/index.ts';
import type { DocumentId } from './ids.ts';

/** A queue in hand, one that is gone included while its tasks are still there. */
export interface QueueRecord {
  readonly id: string;
  readonly documentId: DocumentId;
  readonly namespace: string;
  readonly name: string;
  readonly settings: QueueSettings;
  readonly nextContinuousAt: number | null;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What became of its tasks; null: it is there. */
  readonly gone: 'keep' | 'delete' | null;
}

export function toQueue(queue: QueueRecord): Queue {
  return {
    ...structuredClone(queue.settings),
    id: queue.id,
    namespace: queue.namespace,
    name: queue.name,
    nextContinuousAt: queue.nextContinuousAt === null ? null : new Date(queue.nextContinuousAt),
    revision: queue.revision,
    createdAt: new Date(queue.createdAt),
    updatedAt: new Date(queue.updatedAt),
  };
}
