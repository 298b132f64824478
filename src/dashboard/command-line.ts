import { DEFAULT_NAMESPACE } from '../core/index.ts';

/** Where the command line looks when it is told nothing. */
const USUAL_SERVERS = ['http://127.0.0.1:7700', 'http://localhost:7700'];

/**
 * A command as it must be typed to reach this server and namespace. People paste it into a shell,
 * and a namespace can come from a link: one that a shell could misread is left out.
 */
export function toCommandLine(command: string, server: string, namespace: string): string {
  const isPlain = namespace !== DEFAULT_NAMESPACE && /^[\w.][\w.-]*$/.test(namespace);
  return [
    command,
    ...(USUAL_SERVERS.includes(server) ? [] : [`--server ${server}`]),
    ...(isPlain ? [`--namespace ${namespace}`] : []),
  ].join(' ');
}
