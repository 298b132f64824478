import { type Random, seededRandom } from '../../../src/core/random.ts';
import { createModelStore, type ModelStore } from '../../support/model-store/model-store.ts';
import { type Chance, createChance } from '../chance.ts';
import { createShadow, type Shadow } from '../shadow/shadow-record.ts';
import { type WatchedStore, watchStore } from '../shadow/watched-store.ts';
import type { Sometimes } from '../sometimes.ts';
import type { Trace } from '../trace.ts';
import { Violation } from '../violation.ts';
import { drawPlan, type NetworkPlan, PERFECT_NETWORK, type Plan } from './plan.ts';
import { createProcess, EPOCH_MS, type SimProcess } from './sim-process.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** What everything in a run shares. */
export interface World {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly chance: Chance;
  readonly sometimes: Sometimes;
  readonly store: ModelStore;
  readonly shadow: Shadow;
  readonly watched: WatchedStore;
  /** Faults have stopped, for good. */
  isCalm: boolean;
  readonly violation: Violation | null;
  /** The store's clock. */
  storeNowMs(): number;
  networkPlan(): NetworkPlan;
  note(who: string, words: () => string): void;
  /** Ends the run. Anything but a Violation that gets this far is one too. */
  fail(error: unknown): void;
  createProcess(name: string): SimProcess;
  /** Names that are used once in a run: tokens, keys, origins. */
  uniqueName(prefix: string): string;
}

export interface WorldOptions {
  readonly seed: number;
  readonly trace: Trace;
  readonly sometimes: Sometimes;
}

const HOUR_MS = 3_600_000;

export function createWorld({ seed, trace, sometimes }: WorldOptions): World {
  const random = seededRandom(seed);
  const chance = createChance(random);
  const plan = drawPlan(chance);
  const time = createVirtualTime();
  const shadow = createShadow(sometimes);
  const store = createModelStore();
  const storeNowMs = (): number => EPOCH_MS + time.nowMs;
  let violation: Violation | null = null;
  let nameCount = 0;
  const world: World = {
    plan,
    time,
    random,
    chance,
    sometimes,
    store,
    shadow,
    watched: watchStore(store, shadow, storeNowMs),
    isCalm: false,
    get violation() {
      return violation;
    },
    storeNowMs,
    networkPlan: () => (world.isCalm ? PERFECT_NETWORK : plan.network),
    note: (who, words) => trace.note(time.nowMs, who, words),
    fail(error) {
      if (violation !== null) return;
      violation =
        error instanceof Violation
          ? error
          : new Violation(
              'only known errors',
              error instanceof Error ? `${error.stack}` : `${error}`,
            );
      world.note('violation', () => violation?.message ?? '');
    },
    createProcess: (name) =>
      createProcess(time, {
        name,
        skewMs: chance.between(-HOUR_MS, HOUR_MS),
        rate: chance.between(90, 110) / 100,
      }),
    uniqueName(prefix) {
      nameCount += 1;
      return `${prefix}-${nameCount}`;
    },
  };
  return world;
}

/** Work that nobody waits for; an error that it did not reckon with ends the run. */
export function attend(world: World, work: Promise<unknown>): void {
  work.catch((error: unknown) => world.fail(error));
}
