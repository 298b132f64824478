import type { Clock } from '../core/index.ts';
import type { Store } from '../core/store/index.ts';
import type { StoreAddress } from './store-address.ts';

/** Opens the store that an address names. Its driver is loaded only then. */
export async function openStore(
  address: StoreAddress,
  options: { readonly clock: Clock; readonly serverUrl?: string },
): Promise<Store> {
  const { openSqliteStore } = await import('../stores/sqlite/store.ts');
  const file = address.kind === 'memory' ? ':memory:' : address.file;
  return openSqliteStore({ file, ...options });
}
