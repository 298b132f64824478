import type { TaskId } from '../domain/ids.ts';
import type { OutputChunk } from '../domain/output.ts';
import type { Step } from './step.ts';

export interface OutputStore {
  /**
   * Keeps chunks of a live attempt, in one step. A chunk whose number is there
   * already is left as it is, so a repeated call changes nothing. `lost`: the fence
   * is not the live attempt's; nothing is kept.
   */
  append(append: OutputAppend, step: Step): Promise<'kept' | 'lost'>;
  /** Chunks of an attempt by number, after `after`, up to about `limitBytes` (at least one); [] when there are none. */
  read(read: OutputRead): Promise<OutputChunk[]>;
  /** The last chunks of an attempt that together hold at least `limitBytes`, by number. */
  tail(tail: {
    readonly taskId: TaskId;
    readonly fence: number;
    readonly limitBytes: number;
  }): Promise<OutputChunk[]>;
}

export interface OutputAppend {
  readonly namespace: string;
  readonly taskId: TaskId;
  readonly fence: number;
  readonly chunks: readonly Omit<OutputChunk, 'at'>[];
}

export interface OutputRead {
  readonly taskId: TaskId;
  readonly fence: number;
  readonly after: number;
  readonly limitBytes: number;
}
