/** What must hold at every acceptance point. The name goes into reports, the sentence says what it means. */
export const INVARIANTS = {
  'current fence': 'an accepted start, renewal, settlement or output carries the current fence',
  'growing fence': 'the fence of a task grows with every claim',
  'one live attempt': 'a task has at most one live attempt',
  'one token, one set of claims':
    'a repeated claim gives what the first one gave, and nothing else',
  'one key, one effect': 'a repeated idempotency key changes nothing and gets the first answer',
  'limits hold': 'no claim goes beyond a limit of queue, node, queue and node, or key',
  'claims what waits': 'a claimed task was due, in an open queue, for a node that may have it',
  'claims in order': 'claims come by priority and rank, and leave out nothing that could be had',
  'legal moves': 'a task moves as the table says; a final state is left only as documented',
  'acknowledged exists': 'an acknowledged task exists until it is deleted or purged',
  'counts right': 'the counts by state are those of the tasks',
  'one outcome': 'an ended attempt keeps its outcome, and gets one late word at most',
  'emissions once': 'emitted tasks exist if and only if their settlement was applied, once',
  'key unique': 'a key stands once in its queue',
  'answer as promised': 'a step answers what the contract promises',
  'record as promised': 'a step leaves a task as the contract promises',
  'one leader': 'a named lease has one holder at a time, and its term grows',
  'only known errors': 'nothing but a BatchError comes out of the engine',
  'all ends': 'when faults stop, every task ends',
  'found in time': 'without faults, what is due is dealt with soon, though nobody asks',
  'audit clean': "the store's own audit finds nothing",
} as const;

export type Invariant = keyof typeof INVARIANTS;

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: Invariant;

  constructor(invariant: Invariant, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

export function insist(holds: boolean, invariant: Invariant, detail: () => string): void {
  if (!holds) throw new Violation(invariant, detail());
}
