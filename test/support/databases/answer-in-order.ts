import type { Store } from '../../../src/core/store/index.ts';

const GROUPS = ['namespaces', 'queues', 'tasks', 'attempts', 'outputs', 'nodes', 'leases'] as const;

/**
 * The store, but `now` is answered behind all calls sent before it. Tests that turn the clock ask
 * for it to let calls arrive; a server with many connections answers in any order.
 */
export function answerInOrder(store: Store): Store {
  const underWay = new Set<Promise<unknown>>();
  const track = <Method extends (...args: never[]) => Promise<unknown>>(method: Method): Method =>
    ((...args) => {
      const call = method(...args);
      const done = call.catch(() => {}).finally(() => underWay.delete(done));
      underWay.add(done);
      return call;
    }) as Method;
  const groups = GROUPS.map((name) => {
    const methods = Object.entries(store[name]).map(([method, run]) => [method, track(run)]);
    return [name, Object.fromEntries(methods)];
  });
  return {
    ...store,
    ...Object.fromEntries(groups),
    async now() {
      while (underWay.size > 0) await Promise.all(underWay);
      return store.now();
    },
  };
}
