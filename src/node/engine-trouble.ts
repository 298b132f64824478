import { BatchError, type ErrorKind } from '../core/index.ts';

const PASSING: readonly ErrorKind[] = ['unavailable', 'unauthenticated', 'forbidden', 'internal'];

/** Whether the same call may go well later. Otherwise the call itself is at fault. */
export function mayPass(error: unknown): boolean {
  return error instanceof BatchError && PASSING.includes(error.kind);
}

/** What an error says. Anything can be thrown, even what cannot be turned into text. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'Something was thrown that cannot be shown.';
  }
}
