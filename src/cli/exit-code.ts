/** What a script learns from how a command ends. */
export const EXIT = {
  ok: 0,
  /** Something that was asked for did not happen: some tasks failed, an id is unknown. */
  failed: 1,
  usage: 2,
  /** No server answers, or a server or node cannot start. */
  unavailable: 3,
  timedOut: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
