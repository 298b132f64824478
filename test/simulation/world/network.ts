import type { Engine } from '../../../src/core/engine/engine.ts';
import { BatchError, type ErrorCode } from '../../../src/core/errors.ts';
import type { Outcome, SimServer } from './server.ts';
import type { SimProcess } from './sim-process.ts';
import type { World } from './world.ts';

/** No answer came: whether the call was carried out, nobody knows. No Error: its stack would cost too much. */
class NoAnswer {}
const NO_ANSWER = new NoAnswer();

/** Calls from clients to servers over a network that loses, doubles, delays and reorders. */
export interface Network {
  call<Answer>(from: SimProcess, call: Call<Answer>): Promise<Answer>;
  /** The same again until an answer comes, at most `times`; then null. Only for calls that may be repeated. */
  callUntilAnswered<Answer>(
    from: SimProcess,
    call: Call<Answer>,
    times?: number,
  ): Promise<Answer | null>;
  /** Nothing gets from one to the other for a while; the way back is not touched. */
  cut(from: string, to: string, ms: number): void;
  mend(): void;
}

export interface Call<Answer> {
  readonly what: string;
  readonly timeoutMs?: number;
  readonly run: (engine: Engine) => Promise<Answer>;
}

/** Without faults nobody gives up on an answer that comes. */
const CALM_PATIENCE_MS = 3000;

interface Way {
  readonly from: string;
  readonly to: string;
  readonly kind: 'request' | 'reply';
}

export function createNetwork(world: World, servers: readonly SimServer[]): Network {
  const { time, chance, sometimes } = world;
  const cuts = new Map<string, number>();
  const sent = new Map<string, number>();
  const arrived = new Map<string, number>();

  const deliver = (way: string, act: () => void): void => {
    const { delay, longestDelayMs } = world.networkPlan();
    const number = (sent.get(way) ?? 0) + 1;
    sent.set(way, number);
    const lateMs = chance.happens(delay) ? chance.between(0, longestDelayMs) : 0;
    time.after(chance.between(1, 6) + lateMs, () => {
      if (number < (arrived.get(way) ?? 0)) sometimes.hit('message overtaken');
      else arrived.set(way, number);
      act();
    });
  };

  const send = ({ from, to, kind }: Way, act: () => void): void => {
    const way = `${from} > ${to}`;
    const { loss, duplication } = world.networkPlan();
    const isCut = (cuts.get(way) ?? 0) > time.nowMs;
    if (isCut || chance.happens(loss)) {
      sometimes.hit(isCut ? `${kind} cut off` : `${kind} lost`);
      return;
    }
    deliver(way, act);
    if (!chance.happens(duplication)) return;
    sometimes.hit(`${kind} doubled`);
    deliver(way, act);
  };

  const call = <Answer>(from: SimProcess, { what, timeoutMs, run }: Call<Answer>) =>
    new Promise<Answer>((resolve, reject) => {
      const server = chance.oneOf(servers);
      const there: Way = { from: from.name, to: server.name, kind: 'request' };
      const back: Way = { from: server.name, to: from.name, kind: 'reply' };
      let isOver = false;
      const hear = (outcome: Outcome): void => {
        if (isOver) {
          sometimes.hit('answer nobody waits for');
          return;
        }
        isOver = true;
        timer.cancel();
        if (outcome === 'refused') reject(NO_ANSWER);
        else if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.answer as Answer);
      };
      const patienceMs = timeoutMs ?? chance.between(50, 500);
      const calmMs = world.isCalm ? CALM_PATIENCE_MS : 0;
      const timer = from.schedule(patienceMs + calmMs, () => hear('refused'));
      world.note(from.name, () => `${what} > ${server.name}`);
      send(there, () =>
        server.receive(run, (outcome) => send(back, () => from.receive(() => hear(outcome)))),
      );
    });

  return {
    call,
    async callUntilAnswered(from, request, times = 8) {
      for (let tries = 0; tries < times; tries++) {
        try {
          return await call(from, request);
        } catch (error) {
          if (!isUnknown(error)) throw error;
          sometimes.hit('call repeated');
          await from.sleep(chance.between(5, 100));
        }
      }
      return null;
    },
    cut(from, to, ms) {
      sometimes.hit('network cut one way');
      world.note('network', () => `${from} > ${to} is cut for ${ms} ms`);
      cuts.set(`${from} > ${to}`, time.nowMs + ms);
    },
    mend: () => cuts.clear(),
  };
}

/** Whether the call may have been carried out and may be tried again. */
function isUnknown(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof BatchError && error.kind === 'unavailable');
}

/** null where no answer came, or one of the refusals that the caller reckons with. */
export async function orNull<Answer>(
  work: Promise<Answer>,
  ...expected: readonly ErrorCode[]
): Promise<Answer | null> {
  try {
    return await work;
  } catch (error) {
    if (isUnknown(error)) return null;
    if (error instanceof BatchError && expected.includes(error.code)) return null;
    throw error;
  }
}
