import type { EmitRequest, Json, SettleRequest } from '../core/index.ts';

export interface ResultParts {
  /** What the task gives; not said: what `progress` reported last stays. */
  readonly output?: Json;
  /** Tasks to add in the same step as this result, or not at all. */
  readonly emit?: readonly EmitRequest[];
  /** Not the end: run again, from the back of the queue. */
  readonly again?: SettleRequest['again'];
}

/** A result that says more than its output. Only `result` makes one, so no output is mistaken for it. */
export class TaskResult {
  readonly parts: ResultParts;

  constructor(parts: ResultParts) {
    this.parts = parts;
  }
}

/** What a handler returns when its output is not all there is to say. */
export function result(parts: ResultParts): TaskResult {
  return new TaskResult(parts);
}
