/** How a task goes from state to state. Every step of the model store is made of these. */
import {
  type AttemptOutcome,
  afterLoss,
  type HoldReason,
  type Next,
  type TaskState,
  waitingPlace,
} from '../../../src/core/store/index.ts';
import {
  compare,
  keysOf,
  type LiveRecord,
  type ModelState,
  nodeKey,
  type TaskRecord,
} from './model-state.ts';

export function isWaiting(state: TaskState): boolean {
  return state === 'queued' || state === 'delayed' || state === 'held';
}

/** The only way a task changes its state, so that counters move with it. */
function setState(task: TaskRecord, to: TaskState, hold: HoldReason | null = null): void {
  task.queue.counts[task.state] -= 1;
  task.queue.counts[to] += 1;
  task.state = to;
  task.hold = hold;
}

function countRunning(state: ModelState, { queue }: TaskRecord, node: string, by: 1 | -1): void {
  const key = nodeKey(queue.namespace, node);
  state.runningCounts.set(key, (state.runningCounts.get(key) ?? 0) + by);
}

function tell(state: ModelState, kind: 'ready' | 'ended', { queue }: TaskRecord): void {
  state.changes.push({ kind, namespace: queue.namespace, queueId: queue.id });
}

export interface Beginning {
  readonly node: string;
  readonly start: boolean;
  readonly expiresAt: number | null;
  readonly token: string | null;
}

export function beginAttempt(
  state: ModelState,
  task: TaskRecord,
  { node, start, expiresAt, token }: Beginning,
  now: number,
): LiveRecord {
  task.fence += 1;
  task.claimCount += 1;
  const startedAt = start ? now : null;
  const limitKeys = keysOf(task);
  task.live = { fence: task.fence, node, claimedAt: now, startedAt, expiresAt, token, limitKeys };
  setState(task, start ? 'running' : 'claimed');
  countRunning(state, task, node, 1);
  for (const [index, limit] of task.queue.settings.limits.entries()) {
    if (limit.perMs === null) continue;
    const key = `${limit.name}\n${limitKeys[index]}`;
    task.queue.starts.set(key, [...(task.queue.starts.get(key) ?? []), now]);
  }
  task.updatedAt = now;
  return task.live;
}

export function startAttempt(task: TaskRecord, live: LiveRecord, now: number): void {
  if (task.state !== 'claimed') return;
  live.startedAt = now;
  task.updatedAt = now;
  setState(task, 'running');
}

export interface Ending {
  readonly outcome: AttemptOutcome;
  /** JSON text; undefined: what the attempt reported so far. */
  readonly data?: string;
  readonly error: string | null;
  readonly code: number | null;
}

/** Ends the live attempt; the caller says at once where the task goes. */
export function endAttempt(state: ModelState, task: TaskRecord, end: Ending, now: number): void {
  if (task.live === null) throw new Error(`Task ${task.id} has no live attempt to end.`);
  const { token: _, limitKeys: __, ...live } = task.live;
  const { outcome, data = task.result, error, code } = end;
  task.ended.push({ ...live, endedAt: now, outcome, data, error, code, late: null });
  countRunning(state, task, live.node, -1);
  task.live = null;
  task.result = data;
  task.error = error;
  task.code = code;
  task.lastOutcome = outcome;
  tell(state, 'ready', task); // room for another
}

export function finish(state: ModelState, task: TaskRecord, to: TaskState, now: number): void {
  setState(task, to);
  task.endedAt = now;
  task.updatedAt = now;
  tell(state, 'ended', task);
}

export function hold(task: TaskRecord, reason: HoldReason, now: number): void {
  setState(task, 'held', reason);
  task.result = 'null';
  task.endedAt = null;
  task.updatedAt = now;
}

/** An external task is never queued: it runs instead. */
export function enqueue(state: ModelState, task: TaskRecord, now: number): void {
  setState(task, 'queued');
  task.updatedAt = now;
  tell(state, 'ready', task);
  if (task.external) {
    beginAttempt(state, task, { node: '', start: true, expiresAt: null, token: null }, now);
  }
}

/** Where it waits its own time and its queue's gate say. */
export function letWait(state: ModelState, task: TaskRecord, now: number): void {
  const place = waitingPlace(
    task.queue.settings,
    task.notBefore === null ? null : new Date(task.notBefore),
    new Date(now),
  );
  task.result = 'null';
  task.endedAt = null;
  if (place.state === 'queued') enqueue(state, task, now);
  else setState(task, place.state, place.hold);
  task.updatedAt = now;
}

/** After a change of notBefore: an admitted task stays admitted, but for one that is delayed. */
export function waitAnew(state: ModelState, task: TaskRecord, now: number): void {
  const ahead = task.notBefore !== null && task.notBefore > now;
  const ready = task.state === 'queued' || task.hold === 'admission';
  if ((ready && ahead) || task.state === 'delayed') letWait(state, task, now);
}

/** Where a task goes whose attempt has just ended. */
export function follow(state: ModelState, task: TaskRecord, next: Next, now: number): void {
  const waits = next.state === 'queued' || next.state === 'held';
  if (waits && task.cancelRequestedAt !== null) finish(state, task, 'terminated', now);
  else if (next.state === 'held') hold(task, next.hold ?? 'operator', now);
  else if (next.state === 'queued') {
    if (next.delayMs > 0) task.notBefore = Math.max(task.notBefore ?? 0, now + next.delayMs);
    letWait(state, task, now);
  } else finish(state, task, next.state, now);
}

export function lose(state: ModelState, task: TaskRecord, now: number): void {
  const { cancelRequestedAt, tryCount, lossCount, queue } = task;
  const requested = cancelRequestedAt === null ? null : new Date(cancelRequestedAt);
  const next = afterLoss({ tryCount, lossCount, cancelRequestedAt: requested }, queue.settings);
  endAttempt(state, task, { outcome: 'orphaned', error: null, code: null }, now);
  task.tryCount += 1;
  task.lossCount += 1;
  follow(state, task, next, now);
}

export function leaseEnd(task: TaskRecord): number | null {
  return task.live?.expiresAt ?? null;
}

export function delayEnd(task: TaskRecord): number | null {
  return task.state === 'delayed' ? task.notBefore : null;
}

export function rollDue(
  state: ModelState,
  now: number,
  limit: number,
): { expired: number; readied: number } {
  const due = (end: (task: TaskRecord) => number | null) =>
    [...state.tasks.values()]
      .filter((task) => (end(task) ?? Number.POSITIVE_INFINITY) <= now)
      .sort((a, b) => compare(end(a) ?? 0, end(b) ?? 0) || compare(a.id, b.id))
      .slice(0, limit);
  const expired = due(leaseEnd);
  for (const task of expired) lose(state, task, now);
  const readied = due(delayEnd);
  for (const task of readied) letWait(state, task, now);
  return { expired: expired.length, readied: readied.length };
}

/** Takes a task out of everything that knows it. */
export function removeTask(state: ModelState, task: TaskRecord): void {
  task.queue.counts[task.state] -= 1;
  if (task.live) countRunning(state, task, task.live.node, -1);
  task.queue.tasks.delete(task);
  if (task.key !== null) task.queue.byKey.delete(task.key);
  state.tasks.delete(task.id);
}
