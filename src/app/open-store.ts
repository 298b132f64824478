import type { Clock, Random } from '../core/index.ts';
import type { Store } from '../core/store/index.ts';
import { withDriver } from './missing-driver.ts';
import type { StoreAddress } from './store-address.ts';

/** Opens the store that an address names. Its driver is loaded only then. */
export async function openStore(
  address: StoreAddress,
  options: { readonly clock: Clock; readonly random: Random; readonly serverUrl?: string },
): Promise<Store> {
  const { clock, random, serverUrl } = options;
  switch (address.kind) {
    case 'postgres': {
      const load = () => import('../stores/postgres/store.ts');
      const { openPostgresStore } = await withDriver('pg', load);
      return openPostgresStore({ url: address.url, clock, random });
    }
    case 'mongodb': {
      const load = () => import('../stores/mongo/store.ts');
      const { openMongoStore } = await withDriver('mongodb', load);
      return openMongoStore({ url: address.url, clock, random });
    }
    default: {
      const { openSqliteStore } = await import('../stores/sqlite/store.ts');
      const file = address.kind === 'memory' ? ':memory:' : address.file;
      return openSqliteStore({ file, clock, ...(serverUrl !== undefined && { serverUrl }) });
    }
  }
}
