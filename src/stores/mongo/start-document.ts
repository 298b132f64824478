import type { DocumentId } from './ids.ts';

/** A claim that counts towards a rate, whatever becomes of its task. */
export interface StartDocument {
  readonly queue: DocumentId;
  readonly name: string;
  readonly key: string;
  readonly at: Date;
  /** Then it counts no more. */
  readonly until: Date;
}
