import { createEngine } from '../core/engine/create-engine.ts';
import { openStore } from './open-store.ts';
import { type NodeStart, startNode } from './run-node.ts';
import type { AppContext } from './serve.ts';
import { toStartError } from './start-error.ts';
import type { Stoppable } from './until-stopped.ts';

export interface NodeOnStore extends Stoppable {
  readonly name: string;
  /** What keeps its data, for people. */
  readonly store: string;
}

/** Starts a node that works on the store itself, with the duties of maintenance, and no server. Throws StartError. */
export async function startNodeOnStore(
  { config, environment }: Omit<NodeStart, 'engine'>,
  context: AppContext,
): Promise<NodeOnStore> {
  const store = await openStore(config.store, context).catch((error: unknown) => {
    throw toStartError(error);
  });
  const host = createEngine({ store, ...context });
  try {
    await host.maintenance.start();
    const engine = host.handle(undefined, config.namespace);
    const { name, service } = await startNode({ engine, config, environment }, context);
    return {
      name,
      store: store.capabilities.label,
      async stop() {
        await service.stop();
        host.stopWaiting();
        await host.maintenance.stop();
        await host.close();
      },
      hurry: () => void service.stop(),
    };
  } catch (error) {
    await host.maintenance.stop();
    await host.close();
    throw error;
  }
}
