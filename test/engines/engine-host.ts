import { createEngine, type EngineHost } from '../../src/core/engine/create-engine.ts';
import { OWNER, seededRandom } from '../../src/core/index.ts';
import type { Store } from '../../src/core/store/index.ts';
import type { EngineFixture, EngineOptions } from '../conformance/engine/engine-under-test.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

export interface HostFixture {
  readonly host: EngineHost;
  readonly store: Store;
  readonly clock: FakeClock;
}

/** An engine whose time is turned by hand, on a store that is opened for it. */
export async function openHost(
  openStore: (clock: FakeClock) => Store | Promise<Store>,
  { random = seededRandom(1) }: EngineOptions = {},
): Promise<HostFixture> {
  const clock = createFakeClock();
  const store = await openStore(clock);
  const host = createEngine({ store, clock, random, now: () => clock.now(), version: '1.0.0' });
  return { host, store, clock };
}

/** The engine as a program that embeds it has it. */
export function inProcess({ host, store, clock }: HostFixture): EngineFixture {
  return {
    clock,
    engine: host.handle(OWNER),
    as: async (principal) => host.handle(principal),
    closeStore: () => store.close(),
    [Symbol.asyncDispose]: () => host.close(),
  };
}
