import type { LoadedConfig } from '../../app/config.ts';
import { checkMayRunPrograms } from '../../app/root-user.ts';
import type { Stoppable } from '../../app/until-stopped.ts';
import { type Session, serviceCommand } from '../command.ts';
import { NODE_OPTIONS, toConfigFlags } from '../config-options.ts';
import { countOf } from '../numbers.ts';
import { openContext, serveUntilStopped } from '../service-command.ts';
import { isOnStore } from '../store-choice.ts';

export const node = serviceCommand({
  name: 'node',
  summary: 'Run a node: it takes tasks from a server, or from the database itself, and runs them.',
  examples: [
    'batchyard node --server http://yard:7700 --slots 16',
    'BATCHYARD_STORE=postgres://yard@db/yard batchyard node --slots 16',
    'batchyard node list',
  ],
  options: NODE_OPTIONS,

  async run(session) {
    const { options, out, loadConfig } = session;
    const loaded = await loadConfig(toConfigFlags(options));
    checkMayRunPrograms(loaded.config);
    const isDirect = isOnStore(loaded, options.store);
    const { name, place, running } = await (isDirect ? workOnStore : workForServer)(
      session,
      loaded,
    );
    const { slots } = loaded.config.node;
    out.print({ node: name, ...place, slots }, [
      `Node ${name} works for ${Object.values(place)[0]} with ${countOf(slots, 'slot')}.`,
    ]);
    return serveUntilStopped(session, running);
  },
});

interface Working {
  readonly name: string;
  readonly place: { readonly server: string } | { readonly store: string };
  readonly running: Stoppable;
}

async function workForServer(session: Session, { config }: LoadedConfig): Promise<Working> {
  const { startNode } = await import('../../app/run-node.ts');
  const { connectEngine } = await import('../../client/connect-engine.ts');
  const { server: url, token, namespace } = config;
  const engine = connectEngine({ url, token, namespace });
  const { environment } = session;
  const context = await openContext(session, config.log);
  const { name, service } = await startNode({ engine, config, environment }, context);
  const stop = () => service.stop();
  return { name, place: { server: url }, running: { stop, hurry: () => void stop() } };
}

async function workOnStore(session: Session, { config }: LoadedConfig): Promise<Working> {
  const { startNodeOnStore } = await import('../../app/node-on-store.ts');
  const { environment } = session;
  const context = await openContext(session, config.log);
  const running = await startNodeOnStore({ config, environment }, context);
  return { name: running.name, place: { store: running.store }, running };
}
