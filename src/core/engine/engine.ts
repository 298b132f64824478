import type { Finding } from '../domain/finding.ts';
import type { AttemptOperations } from './attempt-operations.ts';
import type { LeaseOperations } from './lease-operations.ts';
import type { NamespaceOperations } from './namespace-operations.ts';
import type { NodeOperations } from './node-operations.ts';
import type { OutputOperations } from './output-operations.ts';
import type { QueueOperations } from './queue-operations.ts';
import type { TaskOperations } from './task-operations.ts';
import type { TokenOperations } from './token-operations.ts';

/**
 * The one way in: what nodes, doors, API, CLI and embedding programs use.
 *
 * A handle is bound to a principal and to one namespace; `in` gives the handle of
 * another one, if the principal may use it (NAMESPACE_FORBIDDEN). Every method
 * refuses with FORBIDDEN what the principal's role does not allow, INVALID_REQUEST for
 * bad input with field and remedy, and STORE_UNAVAILABLE when the store is away. Two
 * implementations keep the same promises: in process, and over HTTP.
 */
export interface Engine {
  readonly namespace: string;
  readonly namespaces: NamespaceOperations;
  readonly queues: QueueOperations;
  readonly tasks: TaskOperations;
  readonly attempts: AttemptOperations;
  readonly outputs: OutputOperations;
  readonly nodes: NodeOperations;
  readonly leases: LeaseOperations;
  readonly tokens: TokenOperations;
  /** The handle of another namespace. Throws NAMESPACE_FORBIDDEN. */
  in(namespace: string): Engine;
  /** That the store answers, its clock, and what serves it. */
  health(): Promise<Health>;
  /** What an operator should look at in all namespaces, the worst first; it changes nothing. Role admin. */
  examine(): Promise<readonly Finding[]>;
}

export interface Health {
  readonly store: string;
  readonly durable: boolean;
  readonly now: Date;
  readonly version: string;
}
