import type { AttemptOperations, Clock, HoldAnswer, Random, RenewRequest } from '../core/index.ts';
import { createDueTimer } from './due-timer.ts';
import type { EngineLink } from './engine-link.ts';
import type { HeldTask } from './held-task.ts';
import { killGraceMs, type LeasePolicy, renewalIntervalMs, stopMarginMs } from './lease-times.ts';

/** Renews the leases of all held tasks, many in one call, and hears who must stop. */
export interface LeaseKeeper extends Disposable {
  /** Watches tasks that were just taken. */
  watch(tasks: Iterable<HeldTask>): void;
  /** Renews these now; resolves with those that are still held. */
  confirm(tasks: readonly HeldTask[]): Promise<HeldTask[]>;
  /** Tells the engine soon what the task reported. */
  reportSoon(): void;
}

export interface LeaseKeeperOptions extends LeasePolicy {
  readonly attempts: Pick<AttemptOperations, 'renew'>;
  readonly held: ReadonlySet<HeldTask>;
  readonly clock: Clock;
  readonly random: Random;
  readonly link: EngineLink;
  /** It was asked to stop, and still holds its lease. */
  onCancelled(task: HeldTask): void;
  /** The lease is gone, or will be before `graceMs` is over. */
  onLost(task: HeldTask, graceMs: number): void;
}

const MOST_PER_CALL = 1000;
const REPORT_MS = 200;
const LATE_MS = 500;

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { attempts, held, clock, random, link } = options;

  const hear = (task: HeldTask, answer: HoldAnswer, sentMs: number): void => {
    if (!held.has(task)) return;
    if (answer.status === 'lost') {
      options.onLost(task, 0);
      return;
    }
    task.leaseEndMs = Math.max(task.leaseEndMs, sentMs + task.leaseMs);
    if (answer.status === 'cancelled') options.onCancelled(task);
  };
  const renew = async (tasks: readonly HeldTask[]): Promise<void> => {
    const sentMs = clock.monotonicMs();
    const reports = tasks.map((task) => task.report);
    const requests = tasks.map(toRequest);
    for (const task of tasks) {
      task.renewAtMs = sentMs + renewalIntervalMs(task.leaseMs, options);
      task.report = undefined;
    }
    try {
      const answers = await attempts.renew(requests);
      link.worked('renew');
      for (const [index, task] of tasks.entries()) {
        const answer = answers[index];
        if (answer) hear(task, answer, sentMs);
      }
    } catch (error) {
      link.failed('renew', error);
      for (const [index, task] of tasks.entries()) {
        task.report ??= reports[index];
        task.renewAtMs = clock.monotonicMs() + retryMs(task);
      }
      watch(tasks);
    }
  };
  const retryMs = (task: HeldTask): number =>
    (0.5 + random.next() / 2) * Math.min(1000, task.leaseMs / 10);

  const renewAll = async (tasks: readonly HeldTask[]): Promise<void> => {
    const calls: Promise<void>[] = [];
    for (let from = 0; from < tasks.length; from += MOST_PER_CALL) {
      calls.push(renew(tasks.slice(from, from + MOST_PER_CALL)));
    }
    await Promise.all(calls);
  };

  const look = (nowMs: number, lateMs: number): void => {
    const due: HeldTask[] = [];
    for (const task of held) {
      // The whole process stood still, so nobody knows how the lease stands: ask before giving up.
      if (lateMs > LATE_MS) spare(task, nowMs);
      const stopMs = task.leaseEndMs - stopMarginMs(task.leaseMs);
      // Those that are due soon come along, so that all fall into step.
      const soonMs = nowMs + renewalIntervalMs(task.leaseMs, options) / 2;
      if (nowMs >= stopMs) options.onLost(task, killGraceMs(task.leaseEndMs - nowMs));
      else if (task.renewAtMs <= soonMs || task.report !== undefined) due.push(task);
    }
    void renewAll(due);
    watch(held);
  };
  const spare = (task: HeldTask, nowMs: number): void => {
    task.leaseEndMs = Math.max(task.leaseEndMs, nowMs + 2 * stopMarginMs(task.leaseMs));
    task.renewAtMs = Math.min(task.renewAtMs, nowMs);
  };
  const timer = createDueTimer(clock, look);
  const watch = (tasks: Iterable<HeldTask>): void => {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { renewAtMs, leaseEndMs, leaseMs } of tasks) {
      dueMs = Math.min(dueMs, renewAtMs, leaseEndMs - stopMarginMs(leaseMs));
    }
    if (dueMs < Number.POSITIVE_INFINITY) timer.want(dueMs);
  };

  return {
    watch,
    async confirm(tasks) {
      await renewAll(tasks);
      const nowMs = clock.monotonicMs();
      return tasks.filter((task) => held.has(task) && task.leaseEndMs > nowMs);
    },
    reportSoon: () => timer.want(clock.monotonicMs() + REPORT_MS),
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}

function toRequest({ claim, leaseMs, report }: HeldTask): RenewRequest {
  const { taskId, fence } = claim;
  return report === undefined
    ? { taskId, fence, leaseMs }
    : { taskId, fence, leaseMs, data: report };
}
