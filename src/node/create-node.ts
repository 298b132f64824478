import type { Node, NodeReport, Queue, Service } from '../core/index.ts';
import { createClaimLoop } from './claim-loop.ts';
import { createConditions } from './conditions.ts';
import { createEngineLink } from './engine-link.ts';
import { messageOf } from './engine-trouble.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createMissingHandlers } from './missing-handlers.ts';
import { type NodeOptions, type NodeSettings, toNodeSettings } from './node-options.ts';
import { createStoreTime } from './store-time.ts';
import { createTaskDesk } from './task-desk.ts';
import { createTurns } from './turns.ts';
import { createWorkPace } from './work-pace.ts';

/**
 * A node: takes tasks from the engine and runs them.
 *
 * `stop` takes no more tasks, gives back what has not begun, and lets the rest finish within
 * `graceMs`; what runs then is stopped and given back too. A second `stop` does not wait.
 */
export interface NodeService extends Service {
  status(): NodeStatus;
}

export interface NodeStatus {
  readonly running: number;
  /** In hand, not begun. */
  readonly waiting: number;
  /** Ended, and not yet confirmed by the engine. */
  readonly unsettled: number;
  /** Attempts whose lease was lost, since the start. */
  readonly lost: number;
}

/** In hand at most, slots included, however fast the tasks are. */
const MOST_IN_HAND = 1000;
/** How long `stop` tries to tell the last ends to an engine that is away. */
const LAST_WORDS_MS = 10_000;
const HANDLER_LOOK_MS = 10_000;

export function createNode(options: NodeOptions): NodeService {
  const settings = toNodeSettings(options);
  const { engine, name, clock, random, logger, killGraceMs } = settings;
  const link = createEngineLink(logger, name);
  const conditions = createConditions(clock);
  const storeTime = createStoreTime();
  const pace = createWorkPace({
    slots: settings.slots,
    maxAhead: Math.max(0, MOST_IN_HAND - settings.slots),
  });
  const turns = createTurns(clock, () => {
    desk.turn();
    claims.ask();
    conditions.check();
  });
  const desk = createTaskDesk({ settings, turns, pace, link, storeTime });
  const { slots } = desk;
  const claims = createClaimLoop({
    attempts: engine.attempts,
    request: toClaimRequest(settings),
    waitMs: settings.waitMs,
    turns,
    clock,
    random,
    link,
    situation: () => ({
      slots: slots.count(),
      running: slots.runningCount(),
      waiting: slots.waitingCount(),
      ahead: maxRunning === null ? pace.takeAheadCount() : 0,
    }),
    isBehind: () => desk.isBehind(),
    onClaims: (answer) => desk.take(answer),
    onUnwanted: (answer) => desk.refuse(answer),
  });
  let maxRunning: number | null = null;

  const onBeat = (node: Node, sentMs: number): void => {
    storeTime.observe(node.heartbeatAt, sentMs);
    if (maxRunning !== node.maxRunning) {
      maxRunning = node.maxRunning;
      slots.setLimit(maxRunning);
    }
    if (stopping.signal.aborted) return;
    claims.setOpen(node.wish === 'work');
    if (node.wish !== 'work') desk.handBackWaiting();
  };
  const heartbeat = createHeartbeat({
    nodes: engine.nodes,
    name,
    intervalMs: settings.heartbeatMs,
    ttlMs: settings.ttlMs,
    clock,
    link,
    report: () => toReport(settings, { stopping: stopping.signal.aborted, desk }),
    onBeat,
  });
  const missing = createMissingHandlers({
    queues: engine.queues,
    node: name,
    handlers: Object.keys(settings.handlers),
    programs: settings.programs,
    wants: (queue) => wants(settings, queue),
    logger,
  });
  const lookForMissing = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await missing.look();
      await clock.sleep(HANDLER_LOOK_MS, stopping.signal);
    }
  };

  const stopping = new AbortController();
  const hurrying = new AbortController();
  let hasStarted = false;
  let stopped: Promise<void> | null = null;

  const drain = async (): Promise<void> => {
    claims.setOpen(false);
    desk.handBackWaiting();
    const isIdle = (): boolean => desk.heldCount() === 0 && claims.callCount() === 0;
    const isDone = (): boolean => isIdle() && slots.runningCount() === 0;
    const isTold = (): boolean => isDone() && desk.unsettledCount() === 0;
    await conditions.until(isDone, { ms: settings.graceMs, signal: hurrying.signal });
    desk.releaseRunning();
    // Twice the grace: what is told to stop at its end may still have to be killed.
    await conditions.until(isDone, { ms: 2 * killGraceMs });
    if (!(await conditions.until(isTold, { ms: LAST_WORDS_MS }))) {
      const { running, unsettled } = status();
      logger.error('node.left-behind', { node: name, running, unsettled });
    }
  };
  const finish = async (): Promise<void> => {
    stopping.abort();
    if (!hasStarted) return;
    logger.info('node.stopping', { node: name, running: slots.runningCount() });
    await drain();
    await heartbeat.stop();
    desk[Symbol.dispose]();
    await engine.nodes
      .deactivate(name)
      .catch((error: unknown) => logger.warn('node.no-goodbye', { error: messageOf(error) }));
    logger.info('node.stopped', { node: name });
  };
  const status = (): NodeStatus => ({
    running: slots.runningCount(),
    waiting: slots.waitingCount(),
    unsettled: desk.unsettledCount(),
    lost: desk.lostCount(),
  });

  return {
    name: `node ${name}`,
    status,
    async start() {
      if (hasStarted || stopping.signal.aborted) return;
      hasStarted = true;
      await heartbeat.start();
      if (stopping.signal.aborted) return;
      logger.info('node.started', { node: name, slots: settings.slots });
      void lookForMissing();
    },
    stop() {
      if (stopped !== null) hurrying.abort();
      stopped ??= finish();
      return stopped;
    },
  };
}

function toClaimRequest(settings: NodeSettings) {
  const { name, handlers, programs, queues, queuesNot, leaseMs } = settings;
  return {
    node: name,
    handlers: Object.keys(handlers),
    programs,
    ...(queues !== null && { queues }),
    queuesNot,
    ...(leaseMs !== null && { leaseMs }),
  };
}

function wants({ name, queues, queuesNot }: NodeSettings, queue: Queue): boolean {
  if (queues !== null && queues.length > 0 && !queues.includes(queue.name)) return false;
  if (queuesNot.includes(queue.name) || queue.nodesNot.includes(name)) return false;
  return queue.nodesOnly === null || queue.nodesOnly.includes(name);
}

function toReport(
  settings: NodeSettings,
  { stopping, desk }: { readonly stopping: boolean; readonly desk: { heldCount(): number } },
): Partial<NodeReport> {
  const { slots, handlers, programs, queues, queuesNot, version, host, pid, data } = settings;
  return {
    mode: stopping ? 'TERMINATE' : desk.heldCount() > 0 ? 'RUN' : 'IDLE',
    slots,
    handlers: Object.keys(handlers),
    programs,
    queuesOnly: queues,
    queuesNot,
    version,
    host,
    pid,
    data,
  };
}
