import { BatchError } from '../core/index.ts';

/** What keeps a program from starting, in one sentence that says what to do. Never a bug. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Errors the parts raise on purpose stop the start; any other is a bug and stays what it is. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof BatchError)) return error;
  if (error.code === 'INVALID_REQUEST') {
    const { field = '', problem = '', remedy = '' } = error.details;
    return new StartError(`Cannot start: ${field}: ${problem}. ${remedy}.`, { cause: error });
  }
  return error;
}
