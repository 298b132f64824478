import { takeNodeName } from '../app/node-name.ts';
import { openStore } from '../app/open-store.ts';
import { parseStoreAddress } from '../app/store-address.ts';
import { createEngine } from '../core/engine/create-engine.ts';
import {
  BatchError,
  type Clock,
  DEFAULT_NAMESPACE,
  type Engine,
  invalid,
  type Json,
  type Logger,
  OWNER,
  type Random,
  type Submitted,
  systemClock,
  systemRandom,
  type TaskSubmission,
} from '../core/index.ts';
import { createNode, type NodeService } from '../node/create-node.ts';
import type { Handlers } from '../node/handler.ts';
import { describeIssues } from '../node/standard-schema.ts';
import type { AnyHandler, NamedHandler } from './define-handler.ts';

export interface BatchyardOptions {
  /** `sqlite:FILE` (default `sqlite:batchyard.db`), `postgres://…`, `mongodb://…` or `memory`. */
  readonly store?: string;
  readonly namespace?: string;
  readonly handlers?: readonly AnyHandler[];
  /** The name of its node; not said: this machine's, with a number beside others. */
  readonly node?: string;
  /** Tasks that run at once. */
  readonly slots?: number;
  /** Whether queues with a program are served too. */
  readonly programs?: boolean;
  /** False: handlers do not run until `start`. */
  readonly start?: boolean;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Tests hand the instant in; otherwise the store takes its own clock. */
  readonly now?: () => Date;
}

/** An engine inside this program, with a node that runs the handlers. */
export interface Batchyard extends AsyncDisposable {
  readonly engine: Engine;
  /** Adds a task for a handler, its input checked. INVALID_REQUEST when it does not fit. */
  submit<Input>(
    handler: NamedHandler<Input>,
    input: Input,
    options?: SubmitOptions,
  ): Promise<Submitted>;
  /** Runs handlers, if they do not run yet. */
  start(options?: { slots?: number }): Promise<void>;
  /** Lets running tasks finish, then closes the store. Twice is once. */
  stop(): Promise<void>;
}

export interface SubmitOptions extends Omit<TaskSubmission, 'params'> {
  /** A connection with a transaction of yours: the task is there once that commits (PostgreSQL). */
  readonly tx?: unknown;
}

const USUAL_SLOTS = 10;

export async function openBatchyard(options: BatchyardOptions = {}): Promise<Batchyard> {
  const { handlers = [], clock = systemClock, random = systemRandom, logger, now } = options;
  const address = parseStoreAddress(options.store ?? 'sqlite:batchyard.db');
  if (typeof address === 'string') throw invalid('store', address);
  const store = await openStore(address, { clock, random });
  const host = createEngine({
    store,
    clock,
    random,
    ...(logger && { logger }),
    ...(now && { now }),
  });
  const engine = host.handle(OWNER, options.namespace ?? DEFAULT_NAMESPACE);
  let node: NodeService | null = null;
  let stopped: Promise<void> | null = null;

  const start = async ({ slots = options.slots ?? USUAL_SLOTS } = {}): Promise<void> => {
    if (node !== null || stopped !== null) return;
    node = createNode({
      engine,
      name: await takeNodeName(engine, options.node ?? null, random),
      slots,
      handlers: byName(handlers),
      programs: options.programs ?? false,
      clock,
      random,
      ...(logger && { logger }),
    });
    await node.start();
  };
  const stop = async (): Promise<void> => {
    await node?.stop();
    await host.close();
  };
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };

  try {
    for (const handler of handlers) await ensureQueue(engine, handler);
    await host.maintenance.start();
    if (handlers.length > 0 && options.start !== false) await start();
  } catch (error) {
    await stopOnce();
    throw error;
  }
  return {
    engine,
    start,
    stop: stopOnce,
    async submit(handler, input, { tx, ...task } = {}) {
      await checkInput(handler, input);
      const tasks = [{ ...task, params: input as Json }];
      const [submitted] = await engine.tasks.submit(handler.name, tasks, { tx });
      if (!submitted) throw new BatchError('INTERNAL', { problem: 'the store gave no answer' });
      return submitted;
    },
    [Symbol.asyncDispose]: stopOnce,
  };
}

/** The queue a handler serves; one that is there already stays as its operators set it. */
async function ensureQueue(engine: Engine, { name, queue }: AnyHandler): Promise<void> {
  if ((await engine.queues.find(name)) !== null) return;
  try {
    await engine.queues.create(name, { handler: name, ...queue });
  } catch (error) {
    if (!(error instanceof BatchError) || error.code !== 'QUEUE_EXISTS') throw error;
  }
}

async function checkInput<Input>({ input }: NamedHandler<Input>, value: Input): Promise<void> {
  if (!input) return;
  const { issues } = await input['~standard'].validate(value);
  if (issues)
    throw invalid('params', describeIssues('params', issues), 'Send what the handler takes');
}

function byName(handlers: readonly AnyHandler[]): Handlers {
  return Object.fromEntries(handlers.map((handler) => [handler.name, handler]));
}
