import type { Clock } from '../../core/store/index.ts';

/** Answers questions that are asked at the same time by one call. */
export type Gatherer<Question, Answer> = (question: Question) => Promise<Answer>;

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls under way at a time; what is asked meanwhile goes together. */
const MOST_CALLS = 2;

/** `ask` answers in the order of its questions. */
export function createGatherer<Question, Answer>(
  clock: Clock,
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): Gatherer<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let calls = 0;

  async function send(together: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(together.map(({ question }) => question));
      for (const [index, { resolve }] of together.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  function flush(): void {
    if (calls >= MOST_CALLS || waiting.length === 0) return;
    const together = waiting;
    waiting = [];
    calls += 1;
    void send(together).finally(() => {
      calls -= 1;
      void flushSoon();
    });
  }

  /** After all who were answered together had their turn: they come back together. */
  async function flushSoon(): Promise<void> {
    await clock.turn();
    flush();
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) void flushSoon();
    });
}
