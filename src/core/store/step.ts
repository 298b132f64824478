/**
 * What every step of a store is told.
 *
 * `now` is null in production: the store takes its own clock, the same for all
 * processes that share it. Tests hand an instant in.
 *
 * A step *as of now* first ends the leases and readies the delayed tasks that are due, in
 * all namespaces, the earliest first, at most 1,000 of each. So are all steps of tasks but
 * `submit`, `peek` and `purge`; `heads`, `counts` and `admit` of queues; the claims and lists of
 * attempts. `start`, `renew`, `settle` and output are not: expired is not lost until
 * somebody looked.
 */
export interface Step {
  readonly now: Date | null;
}

/**
 * A step that changes something and may be repeated under a key.
 *
 * With `once`, the step's answer, whatever it is, is kept for 24 hours in the same commit;
 * the same key again changes nothing and gets that answer. The same key with another
 * fingerprint changes nothing and throws KEY_REUSED.
 */
export interface Mutation extends Step {
  readonly once?: Once | null;
}

export interface Once {
  readonly key: string;
  /** A digest of the request, so that a key used for another one is noticed. */
  readonly fingerprint: string;
}

/** Answers kept under idempotency keys. */
export interface AnswerStore {
  /** The answer kept under `key`, or null when there is none or it is older than 24 hours. */
  find(key: string, step: Step): Promise<KeptAnswer | null>;
  /** Forgets at most `limit` answers older than 24 hours; says how many. */
  purge(step: Step & { readonly limit: number }): Promise<number>;
}

export interface KeptAnswer {
  readonly fingerprint: string;
  readonly answer: unknown;
}
