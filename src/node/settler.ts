import type {
  AttemptOperations,
  Clock,
  Logger,
  Random,
  SettleAnswer,
  SettleRequest,
} from '../core/index.ts';
import { createBackoff } from './backoff.ts';
import type { EngineLink } from './engine-link.ts';
import { mayPass, messageOf } from './engine-trouble.ts';
import type { Turns } from './turns.ts';

/** Gathers the ends of attempts and tells them to the engine, many in one call. */
export interface Settler extends Disposable {
  /** Goes out with the next `flush`. */
  add(request: SettleRequest): void;
  /** Sends what has gathered, unless enough is under way already: then it gathers on. */
  flush(): void;
  /** The engine did not take the last ends; they are being kept for it. */
  isBehind(): boolean;
  /** Ends that the engine has not confirmed. */
  pendingCount(): number;
}

export interface SettlerOptions {
  readonly attempts: Pick<AttemptOperations, 'settle'>;
  readonly turns: Turns;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly link: EngineLink;
  /** The attempt had lost its lease; its word changed nothing. */
  readonly onLost: (answer: SettleAnswer) => void;
}

/** Calls under way at once: one more gains nothing, and what waits makes the next call larger. */
const LANES = 2;
const MOST_PER_CALL = 2000;
/** More than this unconfirmed: tasks end faster than the engine takes their ends. */
const MOST_UNSETTLED = 10_000;
const RETRY = { baseMs: 100, maxMs: 5000 };

export function createSettler(options: SettlerOptions): Settler {
  const { attempts, turns, clock, logger, link } = options;
  const backoff = createBackoff(options.random, RETRY);
  let gathered: SettleRequest[] = [];
  let sentCount = 0;
  let callCount = 0;
  let isResting = false;
  const disposed = new AbortController();

  const rest = (error: unknown): void => {
    link.failed('settle', error);
    if (isResting) return;
    isResting = true;
    void clock.sleep(backoff.nextMs(), disposed.signal).then(() => {
      isResting = disposed.signal.aborted;
      turns.want();
    });
  };
  const settle = async (batch: readonly SettleRequest[]): Promise<void> => {
    for (const answer of await attempts.settle(batch)) {
      if (answer.status === 'late' || answer.status === 'lost') options.onLost(answer);
    }
    link.worked('settle');
    backoff.reset();
  };

  /** One bad result must not hold up those that were sent with it: each goes alone. */
  const settleAlone = async (request: SettleRequest): Promise<void> => {
    try {
      await settle([request]);
    } catch (error) {
      if (mayPass(error)) {
        gathered.push(request);
        return rest(error);
      }
      const { taskId, fence } = request;
      logger.error('attempt.refused', { taskId, fence, error: messageOf(error) });
      if (request.outcome !== 'failed') await settleAlone(asRefused(request, error));
    }
  };
  const send = async (batch: SettleRequest[]): Promise<void> => {
    callCount += 1;
    sentCount += batch.length;
    try {
      await settle(batch);
    } catch (error) {
      if (mayPass(error)) {
        gathered = batch.concat(gathered);
        rest(error);
      } else await Promise.all(batch.map(settleAlone));
    }
    callCount -= 1;
    sentCount -= batch.length;
    turns.want();
  };

  return {
    add: (request) => void gathered.push(request),
    flush() {
      while (gathered.length > 0 && callCount < LANES && !isResting) {
        const batch = gathered;
        gathered = batch.length > MOST_PER_CALL ? batch.splice(MOST_PER_CALL) : [];
        void send(batch);
      }
    },
    isBehind: () => isResting || gathered.length + sentCount > MOST_UNSETTLED,
    pendingCount: () => gathered.length + sentCount,
    [Symbol.dispose]: () => disposed.abort(),
  };
}

function asRefused({ taskId, fence }: SettleRequest, error: unknown): SettleRequest {
  const reason = `The result was refused: ${messageOf(error)}`.slice(0, 4096);
  return { taskId, fence, outcome: 'failed', final: true, error: reason };
}
