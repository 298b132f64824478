import { hostname } from 'node:os';
import type { Engine } from '../core/index.ts';
import { createNode, type NodeService } from '../node/create-node.ts';
import type { Config } from './config.ts';
import { takeNodeName } from './node-name.ts';
import type { AppContext } from './serve.ts';
import { toStartError } from './start-error.ts';

export interface RunningNode {
  readonly name: string;
  readonly service: NodeService;
}

export interface NodeStart {
  readonly engine: Engine;
  readonly config: Config;
  /** What programs inherit from, by the node's allow-list. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A node hears of cancellations when it renews. */
const RENEW_MS = 1000;

/** Starts a node on an engine, in process or across the network. Throws StartError. */
export async function startNode(start: NodeStart, context: AppContext): Promise<RunningNode> {
  const { engine, config, environment } = start;
  const { node } = config;
  try {
    const name = await takeNodeName(engine, node.name, context.random);
    const service = createNode({
      ...context,
      engine,
      name,
      slots: node.slots,
      programs: node.programs,
      ...(node.queues.length > 0 && { queues: node.queues }),
      queuesNot: node.notQueues,
      graceMs: node.graceMs,
      renewMs: RENEW_MS,
      environment,
      host: hostname(),
      pid: process.pid,
    });
    await service.start();
    return { name, service };
  } catch (error) {
    throw toStartError(error);
  }
}
