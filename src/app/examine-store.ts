import { createEngine } from '../core/engine/create-engine.ts';
import type { Finding } from '../core/index.ts';
import { openStore } from './open-store.ts';
import type { AppContext } from './serve.ts';
import type { StoreAddress } from './store-address.ts';

/** What is to be said of a store, without a server. Throws STORE_UNAVAILABLE. */
export async function examineStore(
  address: StoreAddress,
  context: Pick<AppContext, 'clock' | 'random' | 'version'>,
): Promise<readonly Finding[]> {
  const store = await openStore(address, context);
  const host = createEngine({ store, ...context });
  try {
    return await host.handle().examine();
  } finally {
    await host.close();
  }
}
