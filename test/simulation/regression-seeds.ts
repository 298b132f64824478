/**
 * Seeds that once broke a promise, each with what was wrong. They run before all others. A change of
 * the simulated world makes other runs of them: then look for new ones, with the old bug put back.
 */
export const REGRESSION_SEEDS: readonly { readonly seed: number; readonly was: string }[] = [
  { seed: 31, was: 'a repeated claim got other tasks, for each step had its own token' },
  { seed: 34, was: 'a repeated claim got nothing, for its tasks lay under a later token' },
  { seed: 6, was: 'a repeated claim got other tasks, for its first token was forgotten first' },
  { seed: 1905, was: 'a repeated claim got other tasks, for its first token was forgotten first' },
  { seed: 1096695786, was: 'a repeated claim got nothing, for a queue it chose was gone' },
];
