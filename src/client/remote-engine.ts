import { examineStore, getHealth } from '../api/contract/health-endpoints.ts';
import type { StreamSummary } from '../api/contract/task-stream.ts';
import { whoAmI } from '../api/contract/token-endpoints.ts';
import type { Engine, Principal } from '../core/index.ts';
import type { Connection } from './connection.ts';
import { remoteAttemptOperations } from './remote-attempt-operations.ts';
import { remoteLeaseOperations } from './remote-lease-operations.ts';
import { remoteNamespaceOperations } from './remote-namespace-operations.ts';
import { remoteNodeOperations } from './remote-node-operations.ts';
import { remoteOutputOperations } from './remote-output-operations.ts';
import { remoteQueueOperations } from './remote-queue-operations.ts';
import { remoteTaskOperations } from './remote-task-operations.ts';
import { remoteTokenOperations } from './remote-token-operations.ts';
import { type LineSource, type StreamOptions, submitStream } from './submit-stream.ts';

/** An engine on the other side of HTTP, and what only a server can say or take. */
export interface RemoteEngine extends Engine {
  /** What the namespace forbids is said by the first call, not here. */
  in(namespace: string): RemoteEngine;
  /** Who the server takes this client for. */
  whoAmI(): Promise<Principal>;
  /** Submits any number of tasks, each a line of JSON; bad lines are reported and passed over. */
  submitStream(queue: string, lines: LineSource, options?: StreamOptions): Promise<StreamSummary>;
}

export function createRemoteEngine(connection: Connection, namespace: string): RemoteEngine {
  const { call } = connection;
  return {
    namespace,
    namespaces: remoteNamespaceOperations(connection),
    queues: remoteQueueOperations(connection, namespace),
    tasks: remoteTaskOperations(connection, namespace),
    attempts: remoteAttemptOperations(connection, namespace),
    outputs: remoteOutputOperations(connection, namespace),
    nodes: remoteNodeOperations(connection, namespace),
    leases: remoteLeaseOperations(connection, namespace),
    tokens: remoteTokenOperations(connection),
    in: (other) => createRemoteEngine(connection, other),
    health: () => call(getHealth, { params: {} }),
    examine: () => call(examineStore, { params: {} }),
    whoAmI: () => call(whoAmI, { params: {} }),
    submitStream: (queue, lines, options = {}) =>
      submitStream(connection, { namespace, queue, lines, ...options }),
  };
}
