import type { RetryPolicy } from '../domain/queue.ts';
import type { Random } from '../random.ts';

/** Full jitter: anywhere between nothing and base × factor^(tries − 1), at most `maxMs`. */
export function retryDelayMs(policy: RetryPolicy, tries: number, random: Random): number {
  const ceiling = Math.min(policy.maxMs, policy.baseMs * policy.factor ** Math.max(0, tries - 1));
  return Math.floor(random.next() * ceiling);
}
