import type { AttemptOperations, ClaimAnswer, ClaimRequest, Clock, Random } from '../core/index.ts';
import { createBackoff } from './backoff.ts';
import { type ClaimSituation, type PlannedClaim, planClaims } from './claim-plan.ts';
import type { EngineLink } from './engine-link.ts';
import type { Turns } from './turns.ts';

/** Asks for as many tasks as the node has room for, and waits for them where there are none. */
export interface ClaimLoop {
  /** Makes the calls that are due; called each turn. */
  ask(): void;
  /** Closed: no more calls, those that wait end at once, and what still comes is handed back. */
  setOpen(isOpen: boolean): void;
  /** Calls under way. */
  callCount(): number;
}

export interface ClaimLoopOptions {
  readonly attempts: Pick<AttemptOperations, 'claim'>;
  /** Who asks and for what: all of a claim but its size. */
  readonly request: Omit<ClaimRequest, 'limit' | 'waitMs' | 'token' | 'signal'>;
  readonly waitMs: number;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly random: Random;
  readonly link: EngineLink;
  situation(): Omit<ClaimSituation, 'requested' | 'wasFull' | 'programs'>;
  /** The engine does not take what has ended: better not to begin more. */
  isBehind(): boolean;
  onClaims(answer: ClaimAnswer): void;
  /** Claims that came after closing. */
  onUnwanted(answer: ClaimAnswer): void;
}

const RETRY = { baseMs: 100, maxMs: 10_000 };
/** An engine that answers "nothing" without waiting is asked again after a random part of this. */
const IDLE_PAUSE_MS = 500;

export function createClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { attempts, turns, clock, random, link } = options;
  let opening: AbortController | null = null;
  let requested = 0;
  let waitingCalls = 0;
  let callCount = 0;
  let wasFull = false;

  /** Repeated under its token until it is answered, so that no claim is lost on the way. */
  const call = async (request: ClaimRequest, signal: AbortSignal): Promise<ClaimAnswer | null> => {
    const backoff = createBackoff(random, RETRY);
    let isRepeated = false;
    for (;;) {
      try {
        // After closing, one more go finds out what an aborted call was given.
        const last = signal.aborted ? { waitMs: 0, signal: undefined } : {};
        const answer = await attempts.claim({ ...request, ...last });
        link.worked('claim');
        return answer;
      } catch (error) {
        if (signal.aborted && isRepeated) return null;
        isRepeated = signal.aborted;
        if (signal.aborted) continue;
        link.failed('claim', error);
        await clock.sleep(backoff.nextMs(), signal);
      }
    }
  };

  const send = async ({ limit, programs, waits }: PlannedClaim): Promise<void> => {
    const { signal } = opening as AbortController;
    const askedMs = clock.monotonicMs();
    const waitMs = waits ? options.waitMs : 0;
    const token = Buffer.from(random.bytes(12)).toString('hex');
    requested += limit;
    callCount += 1;
    if (waits) waitingCalls += 1;
    const request = { ...options.request, programs, limit, waitMs, token, signal };
    const answer = await call(request, signal);
    const found = answer?.claims.length ?? 0;
    if (answer && found > 0) {
      if (signal.aborted) options.onUnwanted(answer);
      else options.onClaims(answer);
    } else if (waits && clock.monotonicMs() - askedMs < Math.max(waitMs / 2, 1)) {
      await clock.sleep(random.next() * IDLE_PAUSE_MS, signal);
    }
    // Afterwards, for a plan made meanwhile must not ask for the same again.
    wasFull = found >= limit;
    requested -= limit;
    callCount -= 1;
    if (waits) waitingCalls -= 1;
    turns.want();
  };

  return {
    ask() {
      if (opening === null || waitingCalls > 0 || options.isBehind()) return;
      const { programs = false } = options.request;
      const plan = planClaims({ ...options.situation(), programs, requested, wasFull });
      for (const planned of plan) void send(planned);
    },
    setOpen(isOpen) {
      if (isOpen === (opening !== null)) return;
      opening?.abort();
      opening = isOpen ? new AbortController() : null;
      turns.want();
    },
    callCount: () => callCount,
  };
}
