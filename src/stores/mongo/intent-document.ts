/** Tasks that a submission is adding. */
export interface IntentDocument {
  readonly _id: string;
  /** The step's instant. */
  readonly now: Date;
  readonly tasks: readonly string[];
}

/** A part of what a task emits. */
export interface EmissionDocument {
  readonly _id: string;
  readonly tasks: readonly string[];
}
