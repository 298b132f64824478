import { BatchError, type Clock, type Mutation, type Step } from '../../core/store/index.ts';
import { keepAnswer, lockAnswer } from './answers.ts';
import type { Changes } from './changes.ts';
import type { Database, Transaction, TransactOptions } from './database.ts';
import type { NodeNames } from './node-names.ts';
import type { QueueCache } from './queue-cache.ts';
import type { RecentQueues } from './recent-queues.ts';
import { createWork, type Work } from './work.ts';
import { flush } from './work-flush.ts';

/** Runs each method of the store as one transaction. */
export interface Steps {
  readonly database: Database;
  readonly clock: Clock;
  readonly nodes: NodeNames;
  readonly changes: Changes;
  readonly queues: QueueCache;
  readonly recent: RecentQueues;
  take<Answer>(
    step: Step,
    run: (work: Work) => Promise<Answer>,
    options?: TransactOptions,
  ): Promise<Answer>;
  /** May be repeated under a key. */
  mutate<Answer>(step: Mutation, run: (work: Work) => Promise<Answer>): Promise<Answer>;
}

export const msOf = ({ now }: Step): number | null => now?.getTime() ?? null;

export function createSteps(parts: Omit<Steps, 'take' | 'mutate'>): Steps {
  const { database, changes } = parts;

  async function take<Answer>(
    step: Step,
    run: (work: Work) => Promise<Answer>,
    options?: TransactOptions,
  ): Promise<Answer> {
    const { answer, work } = await database.transact((tx) => runWork(tx, step, run), options);
    changes.raise(work.notes.list());
    return answer;
  }

  return {
    ...parts,
    take,
    mutate(step, run) {
      return take(step, runOnce(step, run), { isRepeatable: Boolean(step.once) });
    },
  };
}

/** Gives the answer kept under the step's key, if it has one and it was used before. */
export function runOnce<Answer>(
  { once }: Mutation,
  run: (work: Work) => Promise<Answer>,
): (work: Work) => Promise<Answer> {
  if (!once) return run;
  return async (work) => {
    const kept = await lockAnswer(work.db, once, work.now);
    if (kept === null) {
      const answer = await run(work);
      await keepAnswer(work.db, once, answer, work.now);
      return answer;
    }
    if (kept.fingerprint === once.fingerprint) return kept.answer as Answer;
    throw new BatchError('KEY_REUSED', { key: once.key });
  };
}

export async function runWork<Answer>(
  tx: Transaction,
  step: Step,
  run: (work: Work) => Promise<Answer>,
): Promise<{ answer: Answer; work: Work }> {
  const work = createWork(tx, msOf(step) ?? tx.startedAt);
  const answer = await run(work);
  await flush(work);
  return { answer, work };
}
