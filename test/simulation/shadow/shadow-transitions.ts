/** How a task goes from state to state, by the words of the contract. */
import type { AttemptOutcome } from '../../../src/core/domain/attempt.ts';
import { type HoldReason, TASK_MOVES, type TaskState } from '../../../src/core/domain/task.ts';
import type { Next } from '../../../src/core/store/attempt-store.ts';
import { insist } from '../violation.ts';
import {
  describeTask,
  keysOf,
  type Shadow,
  type ShadowAttempt,
  type ShadowTask,
} from './shadow-record.ts';

export function setState(
  shadow: Shadow,
  task: ShadowTask,
  to: TaskState,
  hold: HoldReason | null = null,
): void {
  const moves: readonly TaskState[] = TASK_MOVES[task.state];
  insist(
    task.state === to || moves.includes(to),
    'legal moves',
    () => `${describeTask(task)} becomes ${to}`,
  );
  const { counts } = task.queue;
  counts.set(task.state, (counts.get(task.state) ?? 0) - 1);
  counts.set(to, (counts.get(to) ?? 0) + 1);
  task.state = to;
  task.hold = hold;
  shadow.touched.add(task);
}

export function begin(
  shadow: Shadow,
  task: ShadowTask,
  attempt: Omit<ShadowAttempt, 'fence' | 'limitKeys'>,
): ShadowAttempt {
  insist(task.live === null, 'one live attempt', () => `${describeTask(task)} is begun again`);
  task.fence += 1;
  task.claimCount += 1;
  const limitKeys = keysOf(task);
  task.live = { ...attempt, fence: task.fence, limitKeys };
  task.queue.claimed.push({ limitKeys, atMs: attempt.claimedAt });
  setState(shadow, task, attempt.startedAt === null ? 'claimed' : 'running');
  return task.live;
}

export interface End {
  readonly outcome: AttemptOutcome;
  readonly data?: string;
  readonly error: string | null;
  readonly code: number | null;
}

export function end(
  shadow: Shadow,
  task: ShadowTask,
  { outcome, data, error, code }: End,
  now: number,
): void {
  const { live } = task;
  insist(live !== null, 'one outcome', () => `${describeTask(task)} has nothing to end`);
  if (live === null) return;
  task.ended.set(live.fence, { node: live.node, outcome, endedAt: now, late: null });
  task.live = null;
  if (data !== undefined) task.result = data;
  task.error = error;
  task.code = code;
  task.lastOutcome = outcome;
  shadow.touched.add(task);
}

export function finish(shadow: Shadow, task: ShadowTask, to: TaskState, now: number): void {
  setState(shadow, task, to);
  task.endedAt = now;
}

export function hold(shadow: Shadow, task: ShadowTask, reason: HoldReason): void {
  setState(shadow, task, 'held', reason);
  task.result = 'null';
  task.endedAt = null;
}

/** Delayed, held at the gate of its queue, or queued; an external task runs instead. */
export function goWait(shadow: Shadow, task: ShadowTask, now: number): void {
  task.result = 'null';
  task.endedAt = null;
  if (task.notBefore !== null && task.notBefore > now) setState(shadow, task, 'delayed');
  else if (task.queue.settings.admission === 'gated') setState(shadow, task, 'held', 'admission');
  else becomeReady(shadow, task, now);
}

export function becomeReady(shadow: Shadow, task: ShadowTask, now: number): void {
  setState(shadow, task, 'queued');
  if (!task.isExternal) return;
  shadow.sometimes.hit('external task began');
  begin(shadow, task, {
    node: '',
    claimedAt: now,
    startedAt: now,
    expiresAt: null,
    token: null,
  });
}

/** After a change of notBefore. */
export function reconsiderWait(shadow: Shadow, task: ShadowTask, now: number): void {
  shadow.touched.add(task);
  const isAhead = task.notBefore !== null && task.notBefore > now;
  if (task.state === 'delayed') goWait(shadow, task, now);
  else if (isAhead && (task.state === 'queued' || task.hold === 'admission')) {
    goWait(shadow, task, now);
  }
}

export function goOn(shadow: Shadow, task: ShadowTask, next: Next, now: number): void {
  const wouldWait = next.state === 'queued' || next.state === 'held';
  if (wouldWait && task.cancelRequestedAt !== null) {
    shadow.sometimes.hit('requested cancel kept a task from waiting again');
    finish(shadow, task, 'terminated', now);
  } else if (next.state === 'held') {
    hold(shadow, task, next.hold ?? 'operator');
  } else if (next.state === 'queued') {
    if (next.delayMs > 0) task.notBefore = Math.max(task.notBefore ?? 0, now + next.delayMs);
    goWait(shadow, task, now);
  } else {
    finish(shadow, task, next.state, now);
  }
}

/** The lease ran out, or was given up. */
export function lose(shadow: Shadow, task: ShadowTask, now: number): void {
  const { sometimes } = shadow;
  const { onLost, maxLosses, maxAttempts } = task.queue.settings;
  end(shadow, task, { outcome: 'orphaned', error: null, code: null }, now);
  task.tryCount += 1;
  task.lossCount += 1;
  if (task.cancelRequestedAt !== null) {
    sometimes.hit('lost after a cancel: terminated');
    finish(shadow, task, 'terminated', now);
  } else if (onLost === 'park') {
    sometimes.hit('lost and parked');
    finish(shadow, task, 'orphaned', now);
  } else if (onLost === 'fail') {
    sometimes.hit('lost and failed');
    finish(shadow, task, 'failed', now);
  } else if (maxLosses !== null && task.lossCount >= maxLosses) {
    sometimes.hit('quarantined');
    hold(shadow, task, 'quarantined');
  } else if (maxAttempts !== null && task.tryCount >= maxAttempts) {
    sometimes.hit('lost for the last time');
    finish(shadow, task, 'failed', now);
  } else {
    sometimes.hit('lost and queued again');
    goWait(shadow, task, now);
  }
}

/** What every step as of now does first: ends leases that ran out, readies what was delayed. */
export function catchUp(shadow: Shadow, now: number): { expired: number; readied: number } {
  const answer = { expired: 0, readied: 0 };
  for (const task of shadow.tasks.values()) {
    const expiresAt = task.live?.expiresAt ?? null;
    if (expiresAt === null || expiresAt > now) continue;
    shadow.sometimes.hit('lease ran out');
    checkPrompt(shadow, task, now - expiresAt, now);
    lose(shadow, task, now);
    answer.expired += 1;
  }
  for (const task of shadow.tasks.values()) {
    if (task.state !== 'delayed' || (task.notBefore ?? 0) > now) continue;
    shadow.sometimes.hit('delayed task became ready');
    checkPrompt(shadow, task, now - (task.notBefore ?? 0), now);
    goWait(shadow, task, now);
    answer.readied += 1;
  }
  return answer;
}

/** The lease expirer looks every second; clocks that run a tenth slow and a slow store add to that. */
const LONGEST_UNNOTICED_MS = 1500;

function checkPrompt(shadow: Shadow, task: ShadowTask, lateMs: number, now: number): void {
  insist(
    lateMs <= LONGEST_UNNOTICED_MS || now - lateMs < shadow.promptFrom,
    'found in time',
    () => `${describeTask(task)} was due ${lateMs} ms ago`,
  );
}

export function remove(shadow: Shadow, task: ShadowTask): void {
  const { counts, tasks } = task.queue;
  counts.set(task.state, (counts.get(task.state) ?? 0) - 1);
  tasks.delete(task);
  shadow.tasks.delete(task.id);
  shadow.gone.add(task.id);
  shadow.touched.delete(task);
  shadow.removed.add(task.id);
  if (task.live) shadow.sometimes.hit('live task deleted');
}
