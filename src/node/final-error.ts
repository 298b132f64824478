/** Thrown by a handler: the task has failed and another try would not help. */
export class FinalError extends Error {
  override readonly name: string = 'FinalError';
  readonly final = true;
}

export function isFinalError(error: unknown): boolean {
  return error instanceof Error && (error as { final?: unknown }).final === true;
}
