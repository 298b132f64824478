import { checkMayRunPrograms } from '../../app/root-user.ts';
import { serviceCommand } from '../command.ts';
import { NODE_OPTIONS, toConfigFlags } from '../config-options.ts';
import { countOf } from '../numbers.ts';
import { openContext, serveUntilStopped } from '../service-command.ts';

export const node = serviceCommand({
  name: 'node',
  summary: 'Run a node: it takes tasks from a server and runs them.',
  examples: ['batchyard node --server http://yard:7700 --slots 16', 'batchyard node list'],
  options: NODE_OPTIONS,

  async run(session) {
    const { options, out, loadConfig, environment } = session;
    const { config } = await loadConfig(toConfigFlags(options));
    checkMayRunPrograms(config);
    const { startNode } = await import('../../app/run-node.ts');
    const { connectEngine } = await import('../../client/connect-engine.ts');
    const { server: url, token, namespace } = config;
    const engine = connectEngine({ url, token, namespace });
    const context = await openContext(session, config.log);
    const { name, service } = await startNode({ engine, config, environment }, context);
    out.print({ node: name, server: url, slots: config.node.slots }, [
      `Node ${name} works for ${url} with ${countOf(config.node.slots, 'slot')}.`,
    ]);
    return serveUntilStopped(session, {
      stop: () => service.stop(),
      hurry: () => void service.stop(),
    });
  },
});
