import type { Mutation, Step } from '../../core/store/index.ts';
import { runOnce } from './answers.ts';
import { rollDue } from './due.ts';
import { closed, toUnavailable } from './mongo-error.ts';
import type { Session } from './session.ts';
import { createWork, type OnceRun, type Work } from './transitions.ts';

const MOST_ROLLED = 1000;

/** Runs each method of the store: finds its instant, tells listeners, and names what went wrong. */
export interface Steps {
  readonly session: Session;
  look<Answer>(run: () => Promise<Answer>): Promise<Answer>;
  take<Answer>(step: Step, run: (work: Work) => Promise<Answer>): Promise<Answer>;
  /** As of now: what is due comes first. */
  takeAsOfNow<Answer>(step: Step, run: (work: Work) => Promise<Answer>): Promise<Answer>;
  mutate<Answer>(step: Mutation, run: (work: Work) => Promise<Answer>): Promise<Answer>;
  mutateAsOfNow<Answer>(step: Mutation, run: (work: Work) => Promise<Answer>): Promise<Answer>;
  /** Refuses what comes, and resolves when what was begun is over. */
  close(): Promise<void>;
}

export function createSteps(session: Session, label: string): Steps {
  const begun = new Set<Promise<unknown>>();
  let isOpen = true;

  function look<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    if (!isOpen) return Promise.reject(closed());
    const running = run().catch((error: unknown) => {
      throw toUnavailable(error, label) ?? error;
    });
    const done = running.then(
      () => {},
      () => {},
    );
    begun.add(done);
    void done.then(() => begun.delete(done));
    return running;
  }

  const timeOf = async ({ now }: Step): Promise<number> =>
    now === null ? session.time.now() : now.getTime();

  async function work<Answer>(
    now: number,
    run: (work: Work) => Promise<Answer>,
    under: OnceRun | null = null,
  ): Promise<Answer> {
    const mine = createWork(now, under);
    const answer = await run(mine);
    session.tell(mine.changes);
    return answer;
  }

  function asOfNow<Answer>(run: (work: Work) => Promise<Answer>) {
    return async (mine: Work): Promise<Answer> => {
      await rollDue(session, mine, MOST_ROLLED);
      return run(mine);
    };
  }

  function once<Answer>({ once }: Mutation, run: (work: Work) => Promise<Answer>) {
    return (now: number): Promise<Answer> =>
      once ? runOnce(session, { once, now }, (under) => work(now, run, under)) : work(now, run);
  }

  return {
    session,
    look,
    take: (step, run) => look(async () => work(await timeOf(step), run)),
    takeAsOfNow: (step, run) => look(async () => work(await timeOf(step), asOfNow(run))),
    mutate: (step, run) => look(async () => once(step, run)(await timeOf(step))),
    mutateAsOfNow: (step, run) => look(async () => once(step, asOfNow(run))(await timeOf(step))),
    async close() {
      isOpen = false;
      await Promise.all(begun);
    },
  };
}
