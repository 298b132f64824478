import type { Json, QueueSettings } from '../core/index.ts';
import type { HandlerFunction } from '../node/handler.ts';
import type { StandardSchema } from '../node/standard-schema.ts';

/** A handler with its name, and so the queue it serves: what is submitted to it is checked, then and when it runs. */
export interface NamedHandler<Input = Json> {
  readonly name: string;
  /** Any Standard Schema (zod, valibot, arktype …). */
  readonly input?: StandardSchema<unknown, Input>;
  readonly output?: StandardSchema<unknown, Json>;
  readonly run: HandlerFunction<Input>;
  /** How its queue is made when it is not there yet. */
  readonly queue?: Partial<QueueSettings>;
}

/** Gives the definition back, typed: what `input` accepts is what `run` gets and what `submit` takes. */
export function defineHandler<Input = Json>(handler: NamedHandler<Input>): NamedHandler<Input> {
  return handler;
}

// biome-ignore lint/suspicious/noExplicitAny: each handler has an input of its own
export type AnyHandler = NamedHandler<any>;
