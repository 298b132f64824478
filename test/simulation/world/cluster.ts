import { createEngine } from '../../../src/core/engine/create-engine.ts';
import type { QueueSettings } from '../../../src/core/index.ts';
import { startCalmOperator } from './calm.ts';
import { startControllers, startDispatcher } from './dispatchers.ts';
import { startNemesis } from './nemesis.ts';
import { createNetwork } from './network.ts';
import { type NodeClient, startNode } from './node-client.ts';
import { startOperator } from './operator.ts';
import { type SimServer, startServer } from './server.ts';
import { openStoreLink } from './store-link.ts';
import { startSubmitter } from './submitter.ts';
import { attend, type World } from './world.ts';

/** Everything that runs in one seed. */
export interface Cluster {
  /** All submissions were made and answered, or given up. */
  readonly isSubmitted: boolean;
  /** Faults stop, what was down comes back, and what kept tasks from ending goes away. */
  calm(): void;
}

/** What was under way when faults stopped is over by then. */
const SETTLING_MS = 100;

export async function startCluster(world: World): Promise<Cluster> {
  const { plan, time, chance } = world;
  const queues = Array.from({ length: plan.queueCount }, (_, index) => `queue-${index + 1}`);
  await createQueues(world, queues);

  const servers: SimServer[] = Array.from({ length: plan.serverCount }, (_, index) =>
    startServer(world, `server-${index + 1}`),
  );
  const network = createNetwork(world, servers);
  const nodes: NodeClient[] = [];
  const startAt = (index: number, name: string): void => {
    const onCrash = (): void => {
      const isRenamed = chance.happens(0.3);
      world.sometimes.hit(isRenamed ? 'node back under a new name' : 'node back under its name');
      const next = isRenamed ? world.uniqueName(`node-${index + 1}`) : name;
      time.after(chance.between(10, 1500), () => startAt(index, next));
    };
    nodes[index] = startNode({ world, network, name, queues, onCrash });
  };
  for (let index = 0; index < plan.nodeCount; index++) startAt(index, `node-${index + 1}`);

  let submitting = plan.submitterCount;
  const onDone = (): void => {
    submitting -= 1;
  };
  for (let index = 1; index <= plan.submitterCount; index++) {
    startSubmitter({ world, network, name: `submitter-${index}`, queues, onDone });
  }
  startOperator({ world, network, queues, nodes: () => nodes });
  if (plan.hasControllers) startControllers(world, network, queues.at(-1) as string);
  if (plan.hasDispatcher) startDispatcher(world, network, () => nodes);
  startNemesis({ world, network, servers, nodes: () => nodes });

  return {
    get isSubmitted() {
      return submitting === 0;
    },
    calm() {
      world.isCalm = true;
      world.shadow.promptFrom = world.storeNowMs() + SETTLING_MS;
      world.note('world', () => 'faults stop');
      network.mend();
      for (const server of servers) server.recover();
      for (const { process } of nodes) process.resume();
      startCalmOperator(world, network);
    },
  };
}

async function createQueues(world: World, names: readonly string[]): Promise<void> {
  const { time } = world;
  const process = world.createProcess('setup');
  const engine = createEngine({
    store: openStoreLink(world, process),
    clock: process.clock,
    random: world.random,
  }).handle();
  let isDone = false;
  const run = async (): Promise<void> => {
    world.isCalm = true;
    for (const [index, name] of names.entries()) {
      await engine.queues.create(name, drawSettings(world, index === names.length - 1));
    }
    world.isCalm = false;
    isDone = true;
  };
  attend(world, run());
  await time.run(Number.POSITIVE_INFINITY, () => isDone || world.violation !== null);
  process.kill();
}

function drawSettings({ chance, plan }: World, isLast: boolean): Partial<QueueSettings> {
  const keyed = { name: 'tenant', by: 'tenant', max: chance.between(1, 2), perMs: null };
  const rate = { name: 'pace', by: 'tenant', max: chance.between(1, 4), perMs: 300 };
  return {
    leaseMs: plan.leaseMs,
    order: chance.oneOf(['fifo', 'fifo', 'lifo', 'key'] as const),
    maxRunning: chance.oneOf([null, null, 1, 3, 6]),
    maxRunningPerNode: chance.oneOf([null, null, 1, 2]),
    limits: chance.oneOf([[], [], [keyed], [rate], [keyed, rate]]),
    maxAttempts: chance.oneOf([null, 2, 3]),
    maxClaims: chance.oneOf([null, null, 2, 3]),
    maxLosses: chance.oneOf([null, 2, 3]),
    onLost: chance.oneOf(['requeue', 'requeue', 'requeue', 'park', 'fail'] as const),
    retry: { baseMs: 50, factor: 2, maxMs: 500 },
    retention: chance.happens(0.3)
      ? { succeededMs: 500, failedMs: 1000 }
      : { succeededMs: null, failedMs: null },
    ...(isLast && plan.hasControllers && { admission: 'gated' as const }),
    ...(isLast && plan.hasContinuous && { continuous: true, intervalMs: 300 }),
  };
}
