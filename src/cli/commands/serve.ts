import { serviceCommand } from '../command.ts';
import { SERVER_OPTIONS, toConfigFlags } from '../config-options.ts';
import { openContext, serveUntilStopped } from '../service-command.ts';

export const serve = serviceCommand({
  name: 'serve',
  summary: 'Run a server: API, dashboard and maintenance. Nodes connect to it.',
  examples: [
    'batchyard serve --store sqlite:/var/lib/batchyard/yard.db',
    'BATCHYARD_AUTH_ADMIN_TOKEN=… batchyard serve --listen 0.0.0.0:7700',
  ],
  options: SERVER_OPTIONS,

  async run(session) {
    const { options, out, loadConfig } = session;
    const { config } = await loadConfig(toConfigFlags(options));
    const { startServer } = await import('../../app/serve.ts');
    const server = await startServer(config, await openContext(session, config.log));
    const { url, store } = server;
    out.print({ url, store }, [`Serving ${store} at ${url}`]);
    return serveUntilStopped(session, { stop: server.stop, hurry: () => {} });
  },
});
