import type { Config } from './config.ts';
import { startNode } from './run-node.ts';
import { type AppContext, startServer } from './serve.ts';
import type { Stoppable } from './until-stopped.ts';

export interface Yard extends Stoppable {
  readonly url: string;
  readonly store: string;
  /** The name of its node. */
  readonly node: string;
}

/** Starts a server and one node in the same process. Throws StartError. */
export async function startUp(
  config: Config,
  context: AppContext & {
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
): Promise<Yard> {
  const { environment, ...shared } = context;
  const server = await startServer(config, shared);
  try {
    const engine = server.host.handle(undefined, config.namespace);
    const { name, service } = await startNode({ engine, config, environment }, shared);
    return {
      url: server.url,
      store: server.store,
      node: name,
      // The server goes on answering while the node finishes its tasks.
      async stop() {
        await service.stop();
        await server.stop();
      },
      hurry: () => void service.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
