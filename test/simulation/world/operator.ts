import type { ErrorCode } from '../../../src/core/errors.ts';
import type { Engine, QueueSettings } from '../../../src/core/index.ts';
import { openQueues } from '../shadow/shadow-queues.ts';
import type { ShadowTask } from '../shadow/shadow-record.ts';
import { type Network, orNull } from './network.ts';
import type { NodeClient } from './node-client.ts';
import { attend, type World } from './world.ts';

export interface OperatorOptions {
  readonly world: World;
  readonly network: Network;
  readonly queues: readonly string[];
  readonly nodes: () => readonly NodeClient[];
}

/** What an operator reckons with: things change while he looks. */
const REFUSALS: readonly ErrorCode[] = [
  'TASK_NOT_FOUND',
  'TASK_STATE',
  'QUEUE_NOT_FOUND',
  'QUEUE_EXISTS',
  'QUEUE_NOT_EMPTY',
  'QUEUE_CHANGED',
  'NODE_NOT_FOUND',
];

type Action = (engine: Engine, options: { readonly idempotencyKey?: string }) => Promise<unknown>;

/** Somebody who pauses, limits, cancels, retries, holds, releases, edits and deletes, as it pleases him. */
export function startOperator(options: OperatorOptions): void {
  const { world, network } = options;
  const { chance, plan } = world;
  const process = world.createProcess('operator');

  const act = async (what: string, action: Action): Promise<void> => {
    const key = chance.happens(0.7) ? { idempotencyKey: world.uniqueName('order') } : {};
    const call = { what, run: (engine: Engine) => action(engine, key) };
    await orNull(
      'idempotencyKey' in key
        ? network.callUntilAnswered(process, call)
        : network.call(process, call),
      ...REFUSALS,
    );
  };

  const run = async (): Promise<void> => {
    while (!world.isCalm) {
      await process.sleep(chance.between(1, 2 * plan.operatorEveryMs));
      if (world.isCalm) return;
      const draw = chance.between(0, 99);
      const choose = draw < 55 ? onTask : draw < 85 ? onQueue : draw < 94 ? onNode : onWholeQueue;
      const order = choose(options, act);
      // Impatient operators give the next order before the last was answered.
      if (chance.happens(0.6)) await order;
      else attend(world, order);
    }
  };
  attend(world, run());
}

type Act = (what: string, action: Action) => Promise<void>;

function onTask({ world }: OperatorOptions, act: Act): Promise<void> {
  const { chance, shadow } = world;
  const tasks = [...shadow.tasks.values()];
  if (tasks.length === 0) return Promise.resolve();
  const running = tasks.filter(({ live }) => live !== null);
  const { id }: ShadowTask = chance.oneOf(
    running.length > 0 && chance.happens(0.5) ? running : tasks,
  );
  const draw = chance.between(0, 9);
  if (draw < 3) return act(`cancel ${id}`, (engine, key) => engine.tasks.cancel(id, key));
  if (draw < 5) return act(`retry ${id}`, (engine, key) => engine.tasks.retry(id, key));
  if (draw === 5) return act(`hold ${id}`, (engine, key) => engine.tasks.hold(id, key));
  if (draw === 6) return act(`release ${id}`, (engine, key) => engine.tasks.release(id, key));
  if (draw === 7) {
    if (chance.happens(0.5)) return act(`attempts of ${id}`, (engine) => engine.attempts.list(id));
    return act(`delete ${id}`, (engine, key) => engine.tasks.delete(id, key));
  }
  const change = {
    ...(chance.happens(0.5) && { priority: chance.between(-2, 5) }),
    ...(chance.happens(0.3) && {
      notBefore: new Date(world.storeNowMs() + chance.between(-500, 900)),
    }),
    priorityBy: chance.between(-1, 1),
  };
  return act(`edit ${id}`, (engine, key) => engine.tasks.edit(id, change, key));
}

function onQueue({ world, queues, nodes }: OperatorOptions, act: Act): Promise<void> {
  const { chance } = world;
  const queue = chance.oneOf(queues);
  const names = nodes().map(({ name }) => name);
  const limit = (): number | null => chance.oneOf([null, 0, 1, 2, 3]);
  const change: Partial<QueueSettings> = chance.oneOf([
    { paused: true },
    { paused: false },
    { paused: false },
    { maxRunning: limit() },
    { maxRunningPerNode: limit() },
    { maxPerClaim: chance.oneOf([null, 1, 2]) },
    { weight: chance.oneOf([0, 1, 20]) },
    { priority: chance.between(0, 2) },
    { order: chance.oneOf(['fifo', 'lifo', 'key'] as const) },
    { nodesOnly: chance.happens(0.5) ? null : [chance.oneOf(names)] },
    { nodesNot: chance.happens(0.5) ? [] : [chance.oneOf(names)] },
    { onLost: chance.oneOf(['requeue', 'park', 'fail'] as const) },
    { maxAttempts: chance.oneOf([null, 1, 2, 4]), maxLosses: chance.oneOf([null, 1, 2]) },
    // Never none again: a repeated claim looks for what it got past such tasks only while there is one.
    { maxClaims: chance.between(1, 3) },
  ]);
  return act(`set ${queue} ${JSON.stringify(change)}`, (engine, key) =>
    engine.queues.set(queue, change, key),
  );
}

function onNode({ world, nodes }: OperatorOptions, act: Act): Promise<void> {
  const { chance } = world;
  const { name } = chance.oneOf(nodes());
  const change = chance.happens(0.5)
    ? { wish: chance.oneOf(['work', 'work', 'drain', 'cordon'] as const) }
    : { maxRunning: chance.oneOf([null, null, 1, 2]) };
  return act(`set ${name} ${JSON.stringify(change)}`, (engine, key) =>
    engine.nodes.set(name, change, key),
  );
}

/** Takes a queue away and makes it anew under its name; see maxClaims above. */
async function onWholeQueue({ world, queues }: OperatorOptions, act: Act): Promise<void> {
  const { chance, shadow } = world;
  const limited = openQueues(shadow).filter(({ settings }) => settings.maxClaims !== null);
  const queue = chance.oneOf(queues);
  if (limited.some(({ name }) => name === queue)) return;
  const tasks = chance.oneOf(['refuse', 'delete', 'keep'] as const);
  await act(`delete queue ${queue}, tasks ${tasks}`, (engine, key) =>
    engine.queues.delete(queue, { tasks, ...key }),
  );
  await act(`create queue ${queue}`, (engine, key) =>
    engine.queues.create(queue, { leaseMs: world.plan.leaseMs, limits: [] }, key),
  );
}
