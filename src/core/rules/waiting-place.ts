import type { Queue } from '../domain/queue.ts';
import type { HoldReason } from '../domain/task.ts';

export interface WaitingPlace {
  readonly state: 'queued' | 'delayed' | 'held';
  readonly hold: HoldReason | null;
}

/** Where a task waits that could run but for its time and its queue's gate. */
export function waitingPlace(
  queue: Pick<Queue, 'admission'>,
  notBefore: Date | null,
  now: Date,
): WaitingPlace {
  if (notBefore !== null && notBefore > now) return { state: 'delayed', hold: null };
  if (queue.admission === 'gated') return { state: 'held', hold: 'admission' };
  return { state: 'queued', hold: null };
}
