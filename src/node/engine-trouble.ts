import { BatchError, type ErrorKind } from '../core/index.ts';

const PASSING: readonly ErrorKind[] = ['unavailable', 'unauthenticated', 'forbidden', 'internal'];

/** Whether the same call may go well later. Otherwise the call itself is at fault. */
export function mayPass(error: unknown): boolean {
  return error instanceof BatchError && PASSING.includes(error.kind);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
