/** The numbers that stand for words in the database. A number never changes its meaning. */
import type {
  AttemptOutcome,
  HoldReason,
  OutputStream,
  TaskState,
} from '../../core/store/index.ts';

export const STATES = [
  'queued',
  'delayed',
  'held',
  'claimed',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'terminated',
  'orphaned',
] as const satisfies readonly TaskState[];

export const QUEUED = 0;
export const DELAYED = 1;
export const HELD = 2;
export const CLAIMED = 3;
export const RUNNING = 4;
export const SUCCEEDED = 5;
export const FAILED = 6;
export const TERMINATED = 8;
export const ORPHANED = 9;

const HOLDS = ['operator', 'quarantined', 'admission'] as const satisfies readonly HoldReason[];
export const HELD_FOR_ADMISSION = HOLDS.indexOf('admission');

const OUTCOMES = [
  'succeeded',
  'failed',
  'timed-out',
  'cancelled',
  'orphaned',
  'released',
  'continued',
] as const satisfies readonly AttemptOutcome[];

const STREAMS = ['stdout', 'stderr', 'system'] as const satisfies readonly OutputStream[];

export const FIRST_FINAL_CODE = SUCCEEDED;

export const FINAL_CODES = [...STATES.keys()].filter((code) => code >= FIRST_FINAL_CODE);

export const isLiveCode = (code: number): boolean => code === CLAIMED || code === RUNNING;
export const isFinalCode = (code: number): boolean => code >= FIRST_FINAL_CODE;
export const isWaitingCode = (code: number): boolean => code <= HELD;

export const toStateCode = codesOf<TaskState>(STATES);
export const fromStateCode = wordsOf<TaskState>(STATES);
export const toHoldCode = codesOf<HoldReason>(HOLDS);
export const fromHoldCode = wordsOf<HoldReason>(HOLDS);
export const toOutcomeCode = codesOf<AttemptOutcome>(OUTCOMES);
export const fromOutcomeCode = wordsOf<AttemptOutcome>(OUTCOMES);
export const toStreamCode = codesOf<OutputStream>(STREAMS);
export const fromStreamCode = wordsOf<OutputStream>(STREAMS);

function codesOf<Word extends string>(words: readonly Word[]): (word: Word) => number {
  const codes = new Map(words.map((word, code) => [word, code]));
  return (word) => {
    const code = codes.get(word);
    if (code === undefined) throw new Error(`The schema has no number for "${word}".`);
    return code;
  };
}

function wordsOf<Word extends string>(words: readonly Word[]): (code: number) => Word {
  return (code) => {
    const word = words[code];
    if (word === undefined) throw new Error(`The schema has no word for ${code}.`);
    return word;
  };
}
