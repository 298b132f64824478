import { z } from 'zod';
import { ErrorJson } from './error-json.ts';
import { open } from './object-schemas.ts';
import { Tally } from './wire-values.ts';

/** What became of a line that was not taken in. */
export interface StreamProblem {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** How far a stream of tasks has come. */
export interface StreamCounts {
  /** Lines read, blank ones included. */
  readonly lines: number;
  /** Tasks that are new. */
  readonly submitted: number;
  readonly replaced: number;
  readonly skipped: number;
  /** Lines not taken in. */
  readonly failed: number;
}

/** The last line of an answer. `done: false`: `error` stopped it, and what came after was not read. */
export interface StreamSummary extends StreamCounts {
  readonly done: boolean;
  /** The first MOST_STREAM_PROBLEMS. */
  readonly errors: readonly StreamProblem[];
  readonly error?: ErrorJson['error'];
}

export const MOST_STREAM_PROBLEMS = 100;

export const StreamSummaryJson = open<StreamSummary>({
  done: z.boolean(),
  lines: Tally,
  submitted: Tally,
  replaced: Tally,
  skipped: Tally,
  failed: Tally,
  errors: z.array(open<StreamProblem>({ line: Tally, code: z.string(), message: z.string() })),
  error: (ErrorJson.shape.error as z.ZodType<ErrorJson['error']>).optional(),
}).meta({ id: 'StreamSummary' });
