import { LONGEST_WAIT_MS } from '../api/contract/endpoint.ts';
import type { Clock } from '../core/index.ts';

export interface Waiting<Answer> {
  readonly clock: Clock;
  readonly waitMs: number;
  ask(waitMs: number): Promise<Answer>;
  isEnough(answer: Answer): boolean;
}

/** Waits longer than a server lets one request wait: asks again until there is enough, or the time is over. */
export async function waitFor<Answer>(waiting: Waiting<Answer>): Promise<Answer> {
  const { clock, waitMs, ask, isEnough } = waiting;
  const deadline = clock.monotonicMs() + waitMs;
  for (let leftMs = waitMs; ; leftMs = Math.max(0, Math.ceil(deadline - clock.monotonicMs()))) {
    const answer = await ask(Math.min(leftMs, LONGEST_WAIT_MS));
    if (leftMs <= LONGEST_WAIT_MS || isEnough(answer)) return answer;
  }
}
