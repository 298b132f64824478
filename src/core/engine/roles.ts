import { hasRole, type Principal, type Role } from '../domain/principal.ts';
import { BatchError } from '../errors.ts';
import type { Engine } from './engine.ts';

type Groups = Omit<Engine, 'namespace' | 'in' | 'health' | 'examine'>;
export type OperationGroup = keyof Groups;

/** The role each method needs; the API's routes and the tests read it too. */
export const ENGINE_ROLES: {
  readonly [Group in OperationGroup]: Record<keyof Groups[Group], Role>;
} = {
  namespaces: { list: 'viewer', create: 'operator', delete: 'admin', counts: 'viewer' },
  queues: {
    create: 'operator',
    find: 'viewer',
    get: 'viewer',
    list: 'viewer',
    set: 'operator',
    define: 'operator',
    pause: 'operator',
    resume: 'operator',
    delete: 'operator',
    counts: 'viewer',
    countsOf: 'viewer',
    admit: 'operator',
  },
  tasks: {
    submit: 'submitter',
    find: 'viewer',
    get: 'viewer',
    findByKey: 'viewer',
    list: 'viewer',
    edit: 'operator',
    cancel: 'operator',
    retry: 'operator',
    hold: 'operator',
    release: 'operator',
    delete: 'operator',
    bulk: 'operator',
    why: 'viewer',
    wait: 'viewer',
  },
  attempts: {
    claim: 'worker',
    claimTask: 'worker',
    assign: 'worker',
    start: 'worker',
    renew: 'worker',
    settle: 'worker',
    list: 'viewer',
    listByNode: 'viewer',
  },
  outputs: { append: 'worker', read: 'viewer', tail: 'viewer' },
  nodes: {
    heartbeat: 'worker',
    find: 'viewer',
    get: 'viewer',
    list: 'viewer',
    set: 'operator',
    deactivate: 'worker',
    delete: 'operator',
  },
  leases: { acquire: 'worker', release: 'worker' },
  tokens: { create: 'admin', list: 'admin', revoke: 'admin' },
};

export function needRole(principal: Principal, role: Role, action: string): void {
  if (hasRole(principal, role)) return;
  throw new BatchError('FORBIDDEN', {
    action,
    role,
    principal: principal.name,
    has: principal.role,
  });
}

type Operation = (...args: never[]) => Promise<unknown>;

/** The same operations, each refusing a principal whose role does not reach. */
export function guarded<Operations extends object>(
  group: OperationGroup,
  principal: Principal,
  operations: Operations,
): Operations {
  const roles = ENGINE_ROLES[group] as Record<string, Role>;
  const guard = ([name, operation]: [string, Operation]): [string, Operation] => {
    const role = roles[name];
    if (role !== undefined && hasRole(principal, role)) return [name, operation];
    const refuse = async () => needRole(principal, role ?? 'admin', `${group}.${name}`);
    return [name, refuse];
  };
  return Object.fromEntries(Object.entries(operations).map(guard)) as Operations;
}
