import type { Engine, Principal, Random } from '../../../src/core/index.ts';
import type { FakeClock } from '../../support/fake-clock.ts';

/** One implementation of Engine, as the suite opens it. */
export interface EngineUnderTest {
  readonly name: string;
  /** An engine on an empty store of its own. */
  open(options?: EngineOptions): Promise<EngineFixture>;
}

export interface EngineOptions {
  /** Not said: a seeded one, so that every run draws alike. */
  readonly random?: Random;
}

export interface EngineFixture extends AsyncDisposable {
  /** The owner's handle in namespace default. */
  readonly engine: Engine;
  /** The handle of somebody else, in namespace default. */
  as(principal: Principal): Promise<Engine>;
  readonly clock: FakeClock;
  /** Takes the store away from under the engine. */
  closeStore(): Promise<void>;
}
