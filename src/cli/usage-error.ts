/** The command line asks for something that cannot be; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
