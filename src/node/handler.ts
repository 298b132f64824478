import type { Claim, EmitRequest, Json, Queue, SettleRequest } from '../core/index.ts';
import type { StandardSchema } from './standard-schema.ts';
import type { TaskResult } from './task-result.ts';

/** Runs one task. What it returns is the output; what it throws fails the attempt. */
export type HandlerFunction<Params = Json> = (
  params: Params,
  context: TaskContext,
) => HandlerReturn | Promise<HandlerReturn>;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing is fine
export type HandlerReturn = Json | TaskResult | undefined | void;

export interface HandlerDefinition<Params = Json> {
  readonly run: HandlerFunction<Params>;
  /** Params that do not fit fail the task at once, without another try. */
  readonly input?: StandardSchema<unknown, Params>;
  /** An output that does not fit fails the attempt. */
  readonly output?: StandardSchema<unknown, Json>;
}

// biome-ignore lint/suspicious/noExplicitAny: each handler has params of its own; its schema, if any, checks them
export type Handler<Params = any> = HandlerFunction<Params> | HandlerDefinition<Params>;

/** By the name that queues call them by. */
export type Handlers = Readonly<Record<string, Handler>>;

/** What a handler knows of its task, and may do for it. */
export interface TaskContext {
  readonly task: Claim;
  /** Grows with each attempt at this task: hand it to your own store to refuse a stale writer. */
  readonly fence: number;
  /** Which counted try this is, from 1. */
  readonly attempt: number;
  /** Which continuation (`again`) this is, from 0. */
  readonly round: number;
  /** Aborted when the task must stop: cancelled, out of time, lease lost, or the node stops. */
  readonly signal: AbortSignal;
  /** When the queue's longest run time is over; null: never. */
  readonly deadline: Date | null;
  /** Tells what is known so far; readers see the latest within moments. */
  progress(data: Json): void;
  /** Adds a task if and when this attempt succeeds, in the same step. */
  emit(task: EmitRequest): void;
  /** On success: not the end; go to the back of the queue and run again. */
  again(options?: NonNullable<SettleRequest['again']>): void;
  /** Adds to the task's output streams. Awaiting it waits while the reader is slow. */
  write(data: string | Uint8Array, stream?: 'stdout' | 'stderr'): Promise<void>;
}

/** The handler that runs a queue's tasks, by name; null when a program does. */
export function handlerName(queue: Pick<Queue, 'handler' | 'program' | 'name'>): string | null {
  return queue.program === null ? (queue.handler ?? queue.name) : null;
}
