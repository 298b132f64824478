import { CLAIM_MUTANTS } from './claim-mutants.ts';
import { FENCE_MUTANTS } from './fence-mutants.ts';
import { LEADER_MUTANTS } from './leader-mutants.ts';
import type { Mutant } from './mutant.ts';
import { SETTLE_MUTANTS } from './settle-mutants.ts';
import { SUBMISSION_MUTANTS } from './submission-mutants.ts';

export const MUTANTS: readonly Mutant[] = [
  ...FENCE_MUTANTS,
  ...CLAIM_MUTANTS,
  ...SETTLE_MUTANTS,
  ...SUBMISSION_MUTANTS,
  ...LEADER_MUTANTS,
];
