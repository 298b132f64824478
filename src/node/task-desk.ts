import type { Claim, ClaimAnswer, Json, Queue } from '../core/index.ts';
import type { EngineLink } from './engine-link.ts';
import { messageOf } from './engine-trouble.ts';
import { HeldTask, type StopReason } from './held-task.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { renewalIntervalMs, stopMarginMs } from './lease-times.ts';
import type { NodeSettings } from './node-options.ts';
import { createOutputPump, type OutputPump } from './output/output-pump.ts';
import { createRunners } from './runners/runners.ts';
import { createSettler } from './settler.ts';
import { createSlots, type Slots } from './slots.ts';
import type { StoreTime } from './store-time.ts';
import { createTaskWatch, LONGEST_IN_LINE_MS } from './task-watch.ts';
import type { Turns } from './turns.ts';
import type { WorkPace } from './work-pace.ts';

/** Holds the node's tasks from their claim to their end: runs them, keeps their leases, stops them, tells how they ended. */
export interface TaskDesk extends Disposable {
  readonly slots: Slots;
  take(answer: ClaimAnswer): void;
  /** Gives claims back that the node does not want any more. */
  refuse(answer: ClaimAnswer): void;
  /** Gives back what has not begun. */
  handBackWaiting(): void;
  /** Stops all that runs and gives it back. */
  releaseRunning(): void;
  /** Starts what can start and tells what has ended; called each turn. */
  turn(): void;
  isBehind(): boolean;
  heldCount(): number;
  unsettledCount(): number;
  /** Attempts whose lease was lost while this node worked on them, or before it could tell. */
  lostCount(): number;
}

export interface TaskDeskOptions {
  readonly settings: NodeSettings;
  readonly turns: Turns;
  readonly pace: WorkPace;
  readonly link: EngineLink;
  readonly storeTime: StoreTime;
}

export function createTaskDesk(options: TaskDeskOptions): TaskDesk {
  const { settings, turns, pace, link, storeTime } = options;
  const { engine, clock, random, logger, killGraceMs, name: node } = settings;
  const held = new Set<HeldTask>();
  let lostCount = 0;

  const settler = createSettler({
    attempts: engine.attempts,
    turns,
    clock,
    random,
    logger,
    link,
    onLost({ taskId, fence, status }) {
      lostCount += 1;
      logger.warn('attempt.lost', { node, taskId, fence, told: status });
    },
  });

  const lose = (task: HeldTask, graceMs: number): void => {
    if (!task.stop({ reason: 'lost', graceMs })) return;
    held.delete(task);
    lostCount += 1;
    const { taskId, fence } = task.claim;
    logger.warn('attempt.lost', { node, taskId, fence });
    if (task.phase === 'waiting') slots.withdraw(task);
    turns.want();
  };
  const handBack = (claim: Claim): void =>
    settler.add({ taskId: claim.taskId, fence: claim.fence, outcome: 'released' });
  const endUnbegun = (task: HeldTask, reason: Exclude<StopReason, 'lost' | 'timed-out'>): void => {
    if (!slots.withdraw(task)) return;
    task.phase = 'ended';
    held.delete(task);
    if (reason === 'released') handBack(task.claim);
    else settler.add({ taskId: task.claim.taskId, fence: task.claim.fence, outcome: reason });
    turns.want();
  };
  const stop = (task: HeldTask, reason: Exclude<StopReason, 'lost'>): void => {
    if (!task.stop({ reason, graceMs: killGraceMs })) return;
    logger.info('attempt.stopping', { node, taskId: task.claim.taskId, reason });
    if (task.onStop !== null) return;
    task.abandonMs = clock.monotonicMs() + killGraceMs;
    watch.want(task.abandonMs);
  };

  const keeper = createLeaseKeeper({
    attempts: engine.attempts,
    renewMs: settings.renewMs,
    held,
    clock,
    random,
    link,
    onLost: lose,
    onCancelled: (task) =>
      task.phase === 'waiting' ? endUnbegun(task, 'cancelled') : stop(task, 'cancelled'),
  });
  const watch = createTaskWatch({
    held,
    clock,
    onOverdue: (task) => stop(task, 'timed-out'),
    onUnheeded(task) {
      logger.warn('handler.abandoned', {
        node,
        taskId: task.claim.taskId,
        queue: task.claim.queue,
      });
      slots.abandon(task);
    },
    onStuck(tasks) {
      pace.slowDown();
      for (const task of tasks) endUnbegun(task, 'released');
    },
  });

  const outputOf = (task: HeldTask): OutputPump => {
    const { taskId, fence } = task.claim;
    task.output ??= createOutputPump({
      append: (chunks) => engine.outputs.append(taskId, fence, chunks),
      maxBytes: task.queue.maxOutputBytes,
      clock,
      random,
      onLost: () => lose(task, 0),
      onRefused: (error) =>
        logger.error('output.refused', { node, taskId, fence, error: messageOf(error) }),
    });
    return task.output;
  };
  const report = (task: HeldTask, data: Json): void => {
    task.report = data;
    keeper.reportSoon();
  };
  const runners = createRunners(settings, { clock, outputOf, report });

  const slots = createSlots({
    count: settings.slots,
    clock,
    turns,
    pace,
    findRunner: (queue) => runners.find(queue),
    onStart(task) {
      if (task.deadlineMs < Number.POSITIVE_INFINITY) watch.want(task.deadlineMs);
    },
    onEnd(task, settlement) {
      if (held.delete(task)) settler.add(settlement);
    },
  });

  const hold = (claim: Claim, queue: Queue, nowMs: number): HeldTask => {
    const expiresMs = claim.expiresAt.getTime();
    const lengthMs = expiresMs - claim.claimedAt.getTime();
    const storeEndMs = storeTime.toLocalMs(claim.expiresAt) ?? Number.POSITIVE_INFINITY;
    const task = new HeldTask(claim, queue, nowMs, {
      lengthMs,
      endMs: Math.min(nowMs + lengthMs, storeEndMs),
      renewAtMs: nowMs + renewalIntervalMs(lengthMs, settings),
    });
    held.add(task);
    return task;
  };
  /** An answer that was long on its way may tell of leases that are over: ask before beginning. */
  const beginStale = async (tasks: readonly HeldTask[]): Promise<void> => {
    for (const task of await keeper.confirm(tasks)) slots.offer(task);
    turns.want();
  };

  return {
    slots,
    take({ claims, queues }) {
      const nowMs = clock.monotonicMs();
      const fresh: HeldTask[] = [];
      const stale: HeldTask[] = [];
      for (const claim of claims) {
        const queue = queues[claim.queue];
        if (!queue) {
          handBack(claim);
          continue;
        }
        const task = hold(claim, queue, nowMs);
        const isFresh = task.leaseEndMs - stopMarginMs(task.leaseMs) > nowMs;
        (isFresh ? fresh : stale).push(task);
      }
      for (const task of fresh) slots.offer(task);
      keeper.watch(fresh);
      slots.fill();
      if (slots.waitingCount() > 0) watch.want(nowMs + LONGEST_IN_LINE_MS);
      if (stale.length > 0) void beginStale(stale);
      turns.want();
    },
    refuse({ claims }) {
      for (const claim of claims) handBack(claim);
      turns.want();
    },
    handBackWaiting() {
      for (const task of held) if (task.phase === 'waiting') endUnbegun(task, 'released');
    },
    releaseRunning() {
      for (const task of held) if (task.phase === 'running') stop(task, 'released');
    },
    turn() {
      slots.fill();
      settler.flush();
    },
    isBehind: () => settler.isBehind(),
    heldCount: () => held.size,
    unsettledCount: () => settler.pendingCount(),
    lostCount: () => lostCount,
    [Symbol.dispose]() {
      for (const task of held) task.output?.abandon();
      settler[Symbol.dispose]();
      keeper[Symbol.dispose]();
      watch[Symbol.dispose]();
    },
  };
}
