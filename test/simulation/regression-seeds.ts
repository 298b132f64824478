/** Seeds that once broke a promise, each with what was wrong. They run before all others. */
export const REGRESSION_SEEDS: readonly { readonly seed: number; readonly was: string }[] = [];
