/**
 * What should happen sometimes: every fault and every interesting path, counted over a
 * run of many seeds. One that never happened is a test that tests nothing.
 */
import type { AttemptOutcome } from '../../src/core/domain/attempt.ts';
import type { OperatorMove } from '../../src/core/domain/task.ts';
import type { ClaimTaskAnswer, SettleAnswer } from '../../src/core/store/attempt-store.ts';
import type { QueueDeletion } from '../../src/core/store/queue-store.ts';
import type { MoveAnswer, Submitted } from '../../src/core/store/task-store.ts';

/** Steps at which servers are made to die, before and after; the seldom ones more often. */
export const CRASH_POINTS = {
  'attempts.claim': 1,
  'attempts.start': 4,
  'attempts.renew': 4,
  'attempts.settle': 4,
  'attempts.expireDue': 4,
  'tasks.submit': 4,
  'tasks.move': 20,
  'tasks.edit': 30,
  'queues.update': 20,
  'queues.admit': 30,
} as const;
export type CrashPoint = keyof typeof CRASH_POINTS;
const CRASH_NAMES = Object.keys(CRASH_POINTS) as CrashPoint[];

/** Each of these happens in any run of a few thousand seeds. */
export const SOMETIMES = [
  // faults
  'request lost',
  'request doubled',
  'request cut off',
  'reply lost',
  'reply doubled',
  'reply cut off',
  'message overtaken',
  'network cut one way',
  'answer nobody waits for',
  'call repeated',
  'wake-up lost',
  'old heads answered',
  'store connection broke before the step',
  'store connection broke after the step',
  'server crashed',
  'server paused',
  'server crashed before its step',
  'server crashed between step and reply',
  ...CRASH_NAMES.map((point) => `server crashed before ${point}` as const),
  ...CRASH_NAMES.map((point) => `server crashed after ${point}` as const),
  'node crashed idle',
  'node crashed with tasks',
  'node back under its name',
  'node back under a new name',
  'node paused',
  'node paused beyond its lease',
  'node alive past its lease',
  'poison task killed its node',
  'two words on one attempt',
  'run for safety',
  'run for liveness',
  // claims
  'token answered again',
  'token answered with fewer',
  'claim repeated while held',
  'claim met: queue paused',
  'claim met: node rule',
  'claim met: node wish',
  'claim met: queue limit',
  'claim met: queue and node limit',
  'claim met: node limit',
  'claim met: keyed limit',
  'claim met: rate limit',
  'claim by name: claimed',
  'claim by name: refused',
  'claim by name: not-waiting',
  'claim forced',
  'continuous task made',
  'too many claims',
  // attempts
  'start refused',
  'renewal refused',
  'output refused',
  'renewed after its end, still held',
  'settled after its end, still held',
  'lease given up',
  'lease ran out',
  'lost and queued again',
  'lost and parked',
  'lost and failed',
  'lost for the last time',
  'lost after a cancel: terminated',
  'quarantined',
  'settlement applied',
  'settlement repeated',
  'settlement late',
  'settlement lost',
  'late success counted',
  'node told its word came late',
  'attempt succeeded',
  'attempt failed',
  'attempt timed-out',
  'attempt cancelled',
  'attempt orphaned',
  'attempt released',
  'attempt continued',
  'emission created',
  'emission replaced',
  'emission skipped',
  'external task began',
  'external task ended',
  // submissions
  'step repeated under its key',
  'kept answer found',
  'key acknowledged twice',
  'key used for another request',
  'key skipped',
  'key replaced a waiting task',
  'key replaced a live task',
  'key replaced an ended task',
  'submission refused for its key',
  'unique met',
  'delayed task became ready',
  // operators and leaders
  'cancel moved',
  'cancel requested',
  'cancel refused',
  'cancel met a claimed task',
  'requested cancel kept a task from waiting again',
  'retry moved',
  'retry refused',
  'hold moved',
  'hold refused',
  'release moved',
  'release refused',
  'task deleted',
  'live task deleted',
  'ended tasks purged',
  'queue changed meanwhile',
  'order of a queue changed',
  'queue deleted, tasks: delete',
  'queue deleted, tasks: keep',
  'tasks admitted',
  'admission refused: lease lost',
  'leader changed',
  'leader lease held by another',
] as const;

/** Counted too, but too seldom to be insisted upon in a short run. */
type Rarely =
  | 'key reused, refused'
  | 'emission into a queue that is gone'
  | 'claim met: queue gone'
  | `claim by name: ${ClaimTaskAnswer['status']}`
  | `queue deleted, tasks: ${QueueDeletion['tasks']}`
  | `${OperatorMove} ${MoveAnswer['status']}`
  | `settlement ${SettleAnswer['status']}`
  | `attempt ${AttemptOutcome}`
  | `emission ${Submitted['outcome']}`;

export type SometimesName = (typeof SOMETIMES)[number] | Rarely;

export interface Sometimes {
  hit(name: SometimesName): void;
}

export type SometimesCounts = Map<string, number>;

export function countingSometimes(counts: SometimesCounts): Sometimes {
  return { hit: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1) };
}

export function findNever(counts: SometimesCounts): string[] {
  return SOMETIMES.filter((name) => !counts.has(name));
}
