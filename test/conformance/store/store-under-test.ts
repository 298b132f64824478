import type { Store } from '../../../src/core/store/index.ts';

/** A kind of store, as test/stores/<name>.test.ts hands it to the suite. */
export interface StoreUnderTest {
  readonly name: string;
  /** A store that is fresh and empty each time. */
  open(): Promise<Store>;
}
