import { MODEL, type Mutant } from './mutant.ts';

export const LEADER_MUTANTS: readonly Mutant[] = [
  {
    name: 'a leader lease can be taken from its holder',
    file: `${MODEL}/model-leases.ts`,
    find: 'const isOthers = isHeld(lease, now) && lease.holder !== holder;',
    replace: 'const isOthers = false;',
  },
  {
    name: 'tasks are admitted under an old term',
    file: `${MODEL}/model-leases.ts`,
    find: 'return isHeld(lease, now) && lease.term === term;',
    replace: 'return isHeld(lease, now) && lease.term >= term;',
  },
];
