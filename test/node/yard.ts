import { createEngine } from '../../src/core/engine/create-engine.ts';
import {
  type Claim,
  type Clock,
  type Engine,
  type LogFields,
  type Logger,
  seededRandom,
  type Task,
  type TaskId,
  type TaskSubmission,
} from '../../src/core/index.ts';
import type { Store } from '../../src/core/store/index.ts';
import { createNode, type NodeService } from '../../src/node/create-node.ts';
import type { NodeOptions } from '../../src/node/node-options.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { createModelStore } from '../support/model-store/model-store.ts';
import { createEngineLine, type EngineLine } from './engine-line.ts';

/** An engine on an empty store, and nodes that reach it over a line the test can cut. */
export interface Yard extends AsyncDisposable {
  readonly engine: Engine;
  readonly line: EngineLine;
  readonly logs: LogEntry[];
  logsOf(event: string): LogEntry[];
  /** Stopped with the yard. */
  createNode(options?: Partial<NodeOptions>): NodeService;
  startNode(options?: Partial<NodeOptions>): Promise<NodeService>;
  submit(queue: string, task?: TaskSubmission): Promise<TaskId>;
  outputOf(id: TaskId, stream?: string): Promise<Buffer>;
}

export interface LogEntry {
  readonly event: string;
  readonly fields: LogFields;
}

export interface FakeYard extends Yard {
  readonly clock: FakeClock;
  /** Lets time pass in small steps until the promise resolves. */
  turnUntil<Answer>(promise: Promise<Answer>): Promise<Answer>;
}

export async function openYard(
  clock: Clock,
  store: Store = createModelStore({ clock }),
): Promise<Yard> {
  const host = createEngine({ store, clock, random: seededRandom(1) });
  const engine = host.handle();
  const line = createEngineLine(engine);
  const nodes: NodeService[] = [];
  const logs: LogEntry[] = [];
  const logger = collectLogs(logs);
  const createOwn = (options: Partial<NodeOptions> = {}): NodeService => {
    const defaults = { name: 'node-1', slots: 2, random: seededRandom(2), logger, clock };
    const node = createNode({ engine: line.engine, ...defaults, ...options });
    nodes.push(node);
    return node;
  };
  return {
    engine,
    line,
    logs,
    logsOf: (event) => logs.filter((entry) => entry.event === event),
    createNode: createOwn,
    async startNode(options) {
      const node = createOwn(options);
      await node.start();
      return node;
    },
    async submit(queue, task = {}) {
      const [submitted] = await engine.tasks.submit(queue, [task]);
      if (!submitted) throw new Error('Nothing was submitted.');
      return submitted.id;
    },
    async outputOf(id, stream) {
      const { chunks } = await engine.outputs.read(id, { limitBytes: 4 * 1024 * 1024 });
      return Buffer.concat(
        chunks.filter((chunk) => !stream || chunk.stream === stream).map(({ bytes }) => bytes),
      );
    },
    async [Symbol.asyncDispose]() {
      line.mend();
      await Promise.all(nodes.flatMap((node) => [node.stop(), node.stop()]));
      await host.close();
    },
  };
}

export async function openFakeYard(): Promise<FakeYard> {
  const clock = createFakeClock();
  const yard = await openYard(clock);
  const turnUntil = async <Answer>(promise: Promise<Answer>): Promise<Answer> => {
    let isOver = false;
    const done = promise.finally(() => {
      isOver = true;
    });
    done.catch(() => {});
    for (let turns = 0; turns < 2000 && !isOver; turns += 1) await clock.advance(100);
    if (!isOver) throw new Error('Not over after 200 s of the fake clock.');
    return done;
  };
  return {
    ...yard,
    clock,
    turnUntil,
    [Symbol.asyncDispose]: () => turnUntil(Promise.resolve(yard[Symbol.asyncDispose]())),
  };
}

function collectLogs(logs: LogEntry[]): Logger {
  const log = (event: string, fields: LogFields = {}): void => void logs.push({ event, fields });
  return { info: log, warn: log, error: log };
}

/** A handler whose runs the test ends by hand. */
export function openRuns() {
  const runs: OpenRun[] = [];
  const handler = (_params: unknown, context: { task: Claim; signal: AbortSignal }) =>
    new Promise<null>((resolve, reject) => {
      const run: OpenRun = {
        task: context.task,
        stopped: null,
        end: () => resolve(null),
        fail: (error) => reject(error),
      };
      context.signal.addEventListener('abort', () => {
        run.stopped = (context.signal.reason as { reason: string }).reason;
        if (!run.isDeaf) reject(context.signal.reason);
      });
      runs.push(run);
    });
  return { runs, handler };
}

export interface OpenRun {
  readonly task: Claim;
  /** Why it was told to stop. */
  stopped: string | null;
  /** Goes on after its abort signal. */
  isDeaf?: boolean;
  end(): void;
  fail(error: Error): void;
}

export async function outcomesOf(engine: Engine, id: TaskId): Promise<(string | null)[]> {
  return (await engine.attempts.list(id)).map(({ outcome }) => outcome);
}

export async function stateOf(engine: Engine, id: TaskId): Promise<Task['state']> {
  return (await engine.tasks.get(id)).state;
}
