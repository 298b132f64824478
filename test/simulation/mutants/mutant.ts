/**
 * A bug to plant: a change of one text, which the simulation must find. A mutant that
 * survives shows an invariant that is missing.
 */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands there once. */
  readonly find: string;
  readonly replace: string;
}

export const MODEL = 'test/support/model-store';
export const ENGINE = 'src/core/engine';
