import { checkName, DEFAULT_NAMESPACE } from '../core/index.ts';
import { type ConnectionOptions, createConnection } from './connection.ts';
import { createRemoteEngine, type RemoteEngine } from './remote-engine.ts';

export interface ConnectOptions extends ConnectionOptions {
  readonly namespace?: string;
}

/**
 * The engine of a server. Nothing is sent before the first call. Every mutation carries a key and
 * is repeated when its outcome is unknown; SERVER_UNREACHABLE when nothing answers even so.
 */
export function connectEngine(options: ConnectOptions): RemoteEngine {
  const { namespace = DEFAULT_NAMESPACE } = options;
  checkName('namespace', namespace);
  return createRemoteEngine(createConnection(options), namespace);
}
