import * as attempts from './attempt-endpoints.ts';
import type { AnyEndpoint } from './endpoint.ts';
import * as health from './health-endpoints.ts';
import * as leases from './lease-endpoints.ts';
import * as namespaces from './namespace-endpoints.ts';
import * as nodes from './node-endpoints.ts';
import * as outputs from './output-endpoints.ts';
import * as queues from './queue-endpoints.ts';
import * as taskActions from './task-action-endpoints.ts';
import * as tasks from './task-endpoints.ts';
import * as tokens from './token-endpoints.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every endpoint of the API by concept, in the order documents show them. */
export const ENDPOINTS_BY_CONCEPT: readonly (readonly [string, readonly AnyEndpoint[]])[] = [
  ['Queues', endpointsOf(queues)],
  ['Tasks', endpointsOf({ ...tasks, ...taskActions })],
  ['Attempts', endpointsOf(attempts)],
  ['Output', endpointsOf(outputs)],
  ['Nodes', endpointsOf(nodes)],
  ['Namespaces', endpointsOf(namespaces)],
  ['Leases', endpointsOf(leases)],
  ['Access', endpointsOf(tokens)],
  ['Health', endpointsOf(health)],
];

export const ENDPOINTS: readonly AnyEndpoint[] = ENDPOINTS_BY_CONCEPT.flatMap(([, all]) => all);

/** By path, then method. A module of endpoints exports schemas as well. */
function endpointsOf(module: object): AnyEndpoint[] {
  return Object.values(module)
    .filter(
      (value): value is AnyEndpoint =>
        typeof value === 'object' && value !== null && 'method' in value && 'path' in value,
    )
    .sort(
      (one, other) =>
        one.path.localeCompare(other.path, 'en') ||
        METHODS.indexOf(one.method) - METHODS.indexOf(other.method),
    );
}
