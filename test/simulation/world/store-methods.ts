import type { Store } from '../../../src/core/store/store.ts';

type NotGroups = 'capabilities' | 'examine' | 'now' | 'onChange' | 'close' | symbol;
export type StoreGroup = Exclude<keyof Store, NotGroups>;

/** What every store has: methods that only some can do are left out. */
type MethodOf<Methods> = {
  [Name in keyof Methods]-?: undefined extends Methods[Name] ? never : Name;
}[keyof Methods];

/** Every method of every group. A method that is missing here does not compile. */
export const STORE_METHODS: {
  readonly [Group in StoreGroup]: Record<MethodOf<Store[Group]>, true>;
} = {
  namespaces: { list: true, ensure: true, delete: true },
  queues: {
    insert: true,
    find: true,
    list: true,
    update: true,
    delete: true,
    purge: true,
    heads: true,
    counts: true,
    admit: true,
  },
  tasks: {
    submit: true,
    find: true,
    peek: true,
    findByKey: true,
    list: true,
    move: true,
    edit: true,
    delete: true,
    purge: true,
    position: true,
  },
  attempts: {
    claim: true,
    claimTask: true,
    claimContinuous: true,
    start: true,
    renew: true,
    settle: true,
    expireDue: true,
    nextDue: true,
    list: true,
    listByNode: true,
  },
  outputs: { append: true, read: true, tail: true },
  nodes: {
    heartbeat: true,
    find: true,
    list: true,
    update: true,
    deactivate: true,
    delete: true,
  },
  leases: { acquire: true, release: true },
  tokens: { insert: true, findByHash: true, list: true, delete: true },
  archive: {
    listQueues: true,
    listTasks: true,
    listTokens: true,
    putQueue: true,
    putTasks: true,
    putOutput: true,
  },
  answers: { find: true, purge: true },
};

export interface StoreCall {
  readonly group: StoreGroup;
  readonly method: string;
  readonly args: readonly unknown[];
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** A store whose every step goes through `run`. */
export function storeThrough(
  run: (call: StoreCall) => Promise<unknown>,
  rest: Pick<Store, 'capabilities' | 'now' | 'onChange'>,
): Store {
  const groups = Object.fromEntries(
    Object.entries(STORE_METHODS).map(([group, methods]) => [
      group,
      Object.fromEntries(
        Object.keys(methods).map((method) => [
          method,
          (...args: readonly unknown[]) => run({ group: group as StoreGroup, method, args }),
        ]),
      ),
    ]),
  );
  const close = async (): Promise<void> => {};
  return { ...groups, ...rest, close, [Symbol.asyncDispose]: close } as unknown as Store;
}

export function callStore(store: Store, { group, method, args }: StoreCall): Promise<unknown> {
  const methods = store[group] as unknown as Record<string, Method>;
  return (methods[method] as Method)(...args);
}
