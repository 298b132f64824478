import { serviceCommand } from '../command.ts';
import { CONFIG_OPTIONS, toConfigFlags } from '../config-options.ts';
import { countOf } from '../numbers.ts';
import { openContext, serveUntilStopped, warnRoot } from '../service-command.ts';

export const up = serviceCommand({
  name: 'up',
  summary: 'Run everything on this machine: server, dashboard and a node.',
  examples: ['batchyard up', 'batchyard up --store memory --slots 8'],
  options: CONFIG_OPTIONS,

  async run(session) {
    const { options, out, loadConfig, environment } = session;
    const { config } = await loadConfig(toConfigFlags(options));
    const context = await openContext(session, config.log);
    const { startUp } = await import('../../app/up.ts');
    const yard = await startUp(config, { ...context, environment });
    if (config.node.programs) warnRoot(context);
    const { url, store, node } = yard;
    // What a command in this folder would use, started without our flags.
    const { config: usual } = await loadConfig();
    const server = usual.server === url ? '' : ` --server ${url}`;
    out.print({ url, store, node }, [
      `Batchyard ${session.version} is up.`,
      `  dashboard  ${url}`,
      `  store      ${store}`,
      `  node       ${node}, ${countOf(config.node.slots, 'slot')}`,
      '',
      'Try in another terminal:',
      `  batchyard queue create hello --program echo 'Hello, {item}!'${server}`,
      `  batchyard submit hello --array 1-10 --wait${server}`,
      '',
    ]);
    return serveUntilStopped(session, yard);
  },
});
