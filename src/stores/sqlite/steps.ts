import { BatchError, type Mutation, type Step } from '../../core/store/index.ts';
import { findAnswer, keepAnswer } from './answers.ts';
import { rollDue } from './due.ts';
import type { Session } from './session.ts';
import type { StoreClock } from './store-clock.ts';
import { Refusal, type Writer } from './writer.ts';

/** Runs each method of the store as one step of the writer. */
export interface Steps {
  readonly session: Session;
  readonly clock: StoreClock;
  /** Throws when the store cannot be used. */
  check(): void;
  /** At once, where all there is is committed. */
  look<Answer>(run: () => Answer): Promise<Answer>;
  take<Answer>(step: Step, run: (now: number) => Answer): Promise<Answer>;
  /** As of now: what is due comes first. */
  takeAsOfNow<Answer>(step: Step, run: (now: number) => Answer): Promise<Answer>;
  /** May be repeated under a key. */
  mutate<Answer>(step: Mutation, run: (now: number) => Answer): Promise<Answer>;
  mutateAsOfNow<Answer>(step: Mutation, run: (now: number) => Answer): Promise<Answer>;
}

export function createSteps(session: Session, clock: StoreClock, writer: Writer): Steps {
  const timeOf = ({ now }: Step): number => now?.getTime() ?? clock.now();

  const asOfNow =
    <Answer>(run: (now: number) => Answer) =>
    (now: number): Answer => {
      rollDue(session, now);
      return run(now);
    };

  function once<Answer>({ once }: Mutation, run: (now: number) => Answer) {
    return (now: number): Answer | Refusal => {
      if (!once) return run(now);
      const kept = findAnswer(session.db, once.key, now);
      if (kept === null) {
        const answer = run(now);
        keepAnswer(session.db, once, answer, now);
        return answer;
      }
      if (kept.fingerprint === once.fingerprint) return kept.answer as Answer;
      return new Refusal(new BatchError('KEY_REUSED', { key: once.key }));
    };
  }

  const take = <Answer>(step: Step, run: (now: number) => Answer): Promise<Answer> =>
    writer.enqueue(() => run(timeOf(step)));

  // A Refusal never gets out of the writer: it rejects.
  const mutate = <Answer>(step: Mutation, run: (now: number) => Answer): Promise<Answer> =>
    take(step, once(step, run)) as Promise<Answer>;

  return {
    session,
    clock,
    check: writer.check,
    look: writer.look,
    take,
    takeAsOfNow: (step, run) => take(step, asOfNow(run)),
    mutate,
    mutateAsOfNow: (step, run) => mutate(step, asOfNow(run)),
  };
}
