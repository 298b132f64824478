import { MongoAPIError, MongoError, MongoServerError } from 'mongodb';
import { BatchError } from '../../core/store/index.ts';

const DUPLICATE_KEY = 11000;
const UNAUTHORIZED = new Set([13, 18, 8000]);
const CLOSED = { problem: 'it was closed', remedy: 'Open it again.' };

export function unavailable(problem: string, remedy: string, cause?: unknown): BatchError {
  return new BatchError('STORE_UNAVAILABLE', { problem, remedy }, { cause });
}

export function closed(): BatchError {
  return unavailable(CLOSED.problem, CLOSED.remedy);
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** STORE_UNAVAILABLE for whatever the server or the way to it did to us; null for any other error. */
export function toUnavailable(error: unknown, label: string): BatchError | null {
  if (!(error instanceof MongoError)) return null;
  // A call that the driver itself refuses was made wrongly by us.
  if (error instanceof MongoAPIError && error.name !== 'MongoNotConnectedError') return null;
  if (error instanceof MongoServerError && UNAUTHORIZED.has(Number(error.code))) {
    return unavailable(
      `${label} refused the user`,
      'Check the name, the password and the rights on the database.',
      error,
    );
  }
  return unavailable(
    `${label} did not answer as it should (${error.message})`,
    'Check that the server runs and takes writes; what was asked may or may not have happened.',
    error,
  );
}
