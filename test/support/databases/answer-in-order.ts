import type { Clock, Store } from '../../../src/core/store/index.ts';
import type { FakeClock } from '../fake-clock.ts';

const GROUPS = ['namespaces', 'queues', 'tasks', 'attempts', 'outputs', 'nodes', 'leases'] as const;

export interface OrderedStore extends Store {
  /** Resolves when no call is under way, nor begun by what those before it led to. */
  answered(): Promise<void>;
}

/**
 * The store, but `now` is that of the test's clock, and is answered behind all calls sent before it.
 * Tests that turn the clock ask for it to let calls arrive; a server with many connections answers in
 * any order.
 */
export function answerInOrder(store: Store, clock: Clock): OrderedStore {
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

  async function answered(): Promise<void> {
    do {
      await Promise.all(underWay);
      await new Promise((resolve) => setImmediate(resolve));
    } while (underWay.size > 0);
  }

  return {
    ...store,
    ...Object.fromEntries(groups),
    answered,
    async now() {
      await answered();
      await store.now();
      return clock.now();
    },
  };
}

const STEPS = 40;

/** The clock, but it is turned in small steps, and after each the store has answered what came of it. */
export function turnInStep(clock: FakeClock, { answered }: OrderedStore): FakeClock {
  return {
    ...clock,
    async advance(ms) {
      for (let step = 1; step <= STEPS; step++) {
        await answered();
        const passed = Math.floor((ms * (step - 1)) / STEPS);
        await clock.advance(Math.floor((ms * step) / STEPS) - passed);
      }
      await answered();
    },
  };
}
