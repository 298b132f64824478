import type { TaskId } from '../domain/ids.ts';
import type { OutputChunk } from '../domain/output.ts';
import type { ArchivedQueue, ArchivedTask, ArchivedToken } from '../store/archive-store.ts';

/**
 * One piece of a store's data. They come in this order: each namespace, followed by its queues;
 * each queue by its tasks in order of id; each task by its output, attempt by attempt; last the
 * access tokens.
 */
export type ArchiveRecord =
  | { readonly kind: 'namespace'; readonly name: string }
  | ({ readonly kind: 'queue' } & ArchivedQueue)
  | ({ readonly kind: 'task' } & ArchivedTask)
  | {
      readonly kind: 'output';
      readonly taskId: TaskId;
      readonly fence: number;
      readonly chunks: readonly OutputChunk[];
    }
  | ({ readonly kind: 'token' } & ArchivedToken);
