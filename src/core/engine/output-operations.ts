import type { TaskId } from '../domain/ids.ts';
import type { OutputChunk } from '../domain/output.ts';

export interface OutputOperations {
  /** Keeps chunks of a live attempt; repeating is safe. LEASE_LOST when the fence is stale. */
  append(taskId: TaskId, fence: number, chunks: readonly Omit<OutputChunk, 'at'>[]): Promise<void>;
  /** Chunks after `after`. With `waitMs`, waits that long for more while the attempt lives. TASK_NOT_FOUND; ATTEMPT_NOT_FOUND. */
  read(taskId: TaskId, request?: ReadRequest): Promise<OutputPage>;
  /** The last chunks that hold at least `limitBytes` (default 8 KiB). */
  tail(taskId: TaskId, request?: { fence?: number; limitBytes?: number }): Promise<OutputPage>;
}

export interface ReadRequest {
  /** Which attempt; not said: the last. */
  readonly fence?: number;
  readonly after?: number;
  readonly limitBytes?: number;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export interface OutputPage {
  readonly fence: number | null;
  readonly chunks: readonly OutputChunk[];
  /** No more will come after these chunks. */
  readonly ended: boolean;
}
