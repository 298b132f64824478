/** On every mutation: the same key again changes nothing and gets the first answer, for 24 hours. */
export interface Repeatable {
  readonly idempotencyKey?: string;
}
