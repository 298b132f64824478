import { BatchError, type Clock, type Mutation, type Step } from '../../../src/core/store/index.ts';
import { emptyState, type ModelState } from './model-state.ts';
import { rollDue } from './model-transitions.ts';

const ANSWER_KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_ROLLED = 1000;

export interface KeptRecord {
  readonly fingerprint: string;
  readonly answer: unknown;
  readonly at: number;
}

/** Runs each method of the store as one step: all of it before anybody else's turn. */
export interface ModelSteps {
  readonly state: ModelState;
  readonly answers: Map<string, KeptRecord>;
  look<Answer>(run: () => Answer): Promise<Answer>;
  take<Answer>(step: Step, run: (now: number) => Answer): Promise<Answer>;
  /** As of now: what is due comes first. */
  takeAsOfNow<Answer>(step: Step, run: (now: number) => Answer): Promise<Answer>;
  mutate<Answer>(step: Mutation, run: (now: number) => Answer): Promise<Answer>;
  mutateAsOfNow<Answer>(step: Mutation, run: (now: number) => Answer): Promise<Answer>;
  close(): void;
}

export function isStale(kept: KeptRecord, now: number): boolean {
  return now - kept.at > ANSWER_KEPT_MS;
}

export function createModelSteps(clock: Clock, afterStep: (state: ModelState) => void): ModelSteps {
  const state = emptyState();
  const answers = new Map<string, KeptRecord>();
  let open = true;

  async function look<Answer>(run: () => Answer): Promise<Answer> {
    if (!open) {
      throw new BatchError('STORE_UNAVAILABLE', { problem: 'it was closed', remedy: 'Open it.' });
    }
    const answer = run();
    afterStep(state);
    return answer;
  }

  const timeOf = ({ now }: Step): number => (now ?? clock.now()).getTime();

  function asOfNow<Answer>(run: (now: number) => Answer) {
    return (now: number): Answer => {
      rollDue(state, now, MOST_ROLLED);
      return run(now);
    };
  }

  function once<Answer>({ once }: Mutation, run: (now: number) => Answer) {
    return (now: number): Answer => {
      if (!once) return run(now);
      const kept = answers.get(once.key);
      if (!kept || isStale(kept, now)) {
        const answer = run(now);
        const { fingerprint } = once;
        answers.set(once.key, { fingerprint, answer: structuredClone(answer), at: now });
        return answer;
      }
      if (kept.fingerprint !== once.fingerprint) {
        throw new BatchError('KEY_REUSED', { key: once.key });
      }
      return structuredClone(kept.answer) as Answer;
    };
  }

  return {
    state,
    answers,
    look,
    take: (step, run) => look(() => run(timeOf(step))),
    takeAsOfNow: (step, run) => look(() => asOfNow(run)(timeOf(step))),
    mutate: (step, run) => look(() => once(step, run)(timeOf(step))),
    mutateAsOfNow: (step, run) => look(() => once(step, asOfNow(run))(timeOf(step))),
    close() {
      open = false;
    },
  };
}
