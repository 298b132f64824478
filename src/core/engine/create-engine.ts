import { createHash } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { createIdSource } from '../domain/ids.ts';
import { checkName, DEFAULT_NAMESPACE } from '../domain/namespace.ts';
import { mayUse, OWNER, type Principal } from '../domain/principal.ts';
import { BatchError } from '../errors.ts';
import { type Logger, silentLogger } from '../logger.ts';
import { createMaintenance } from '../maintenance/maintenance.ts';
import { type Random, systemRandom } from '../random.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store/store.ts';
import { createChangeHub } from './change-hub.ts';
import { createAttemptOperations } from './create-attempt-operations.ts';
import { createLeaseOperations } from './create-lease-operations.ts';
import { createNamespaceOperations } from './create-namespace-operations.ts';
import { createNodeOperations } from './create-node-operations.ts';
import { createOutputOperations } from './create-output-operations.ts';
import { createQueueOperations } from './create-queue-operations.ts';
import { createTaskOperations } from './create-task-operations.ts';
import { createTokenOperations } from './create-token-operations.ts';
import type { Engine } from './engine.ts';
import type { EngineContext, Handle } from './engine-context.ts';
import { examine } from './examine-operation.ts';
import { guarded, needRole } from './roles.ts';

export interface EngineOptions {
  readonly store: Store;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logger?: Logger;
  readonly version?: string;
  /** Tests hand the instant in; otherwise the store takes its own clock. */
  readonly now?: () => Date;
}

/** One engine over one store; handles of it are bound to principals. */
export interface EngineHost extends AsyncDisposable {
  /** Throws NAMESPACE_FORBIDDEN when the principal may not use the namespace. */
  handle(principal?: Principal, namespace?: string): Engine;
  /** Who a secret stands for; null when it stands for nobody or has expired. */
  authenticate(secret: string): Promise<Principal | null>;
  /** Expires leases, keeps retention, purges. Any number of processes may run it on one store. */
  readonly maintenance: Service;
  /** Ends waiting calls at once with what they have. The store stays open. */
  stopWaiting(): void;
  /** Stops maintenance, ends waiting calls, closes the store. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): EngineHost {
  const { store, clock = systemClock, random = systemRandom, logger = silentLogger, now } = options;
  const changes = createChangeHub(store, clock);
  const context: EngineContext = {
    store,
    clock,
    random,
    logger,
    changes,
    ids: createIdSource(now ? { now } : clock, random),
    version: options.version ?? '0.0.0',
    step: () => ({ now: now ? now() : null }),
  };
  const maintenance = createMaintenance(context);
  const close = async (): Promise<void> => {
    await maintenance.stop();
    changes[Symbol.dispose]();
    await store.close();
  };
  return {
    maintenance,
    close,
    stopWaiting: () => changes.close(),
    handle: (principal = OWNER, namespace = DEFAULT_NAMESPACE) =>
      createHandle(context, principal, namespace),
    async authenticate(secret) {
      const hash = createHash('sha256').update(secret).digest();
      const token = await store.tokens.findByHash(hash, context.step());
      return token && { name: token.name, role: token.role, namespaces: token.namespaces };
    },
    [Symbol.asyncDispose]: close,
  };
}

function createHandle(context: EngineContext, principal: Principal, namespace: string): Engine {
  checkName('namespace', namespace);
  if (!mayUse(principal, namespace)) {
    throw new BatchError('NAMESPACE_FORBIDDEN', { principal: principal.name, namespace });
  }
  const handle: Handle = { ...context, principal, namespace };
  return {
    namespace,
    namespaces: guarded('namespaces', principal, createNamespaceOperations(handle)),
    queues: guarded('queues', principal, createQueueOperations(handle)),
    tasks: guarded('tasks', principal, createTaskOperations(handle)),
    attempts: guarded('attempts', principal, createAttemptOperations(handle)),
    outputs: guarded('outputs', principal, createOutputOperations(handle)),
    nodes: guarded('nodes', principal, createNodeOperations(handle)),
    leases: guarded('leases', principal, createLeaseOperations(handle)),
    tokens: guarded('tokens', principal, createTokenOperations(handle)),
    in: (other) => createHandle(context, principal, other),
    async health() {
      // Asked even when a test hands its instant in: it proves that the store answers.
      const now = await context.store.now();
      const { label, durable } = context.store.capabilities;
      return { store: label, durable, now: context.step().now ?? now, version: context.version };
    },
    async examine() {
      needRole(principal, 'admin', 'examine');
      return examine(context);
    },
  };
}
