import type { LoadedConfig } from '../app/config.ts';
import { isSharedStore } from '../app/store-address.ts';

/**
 * Whether a command works on the store itself and not through a server: when --store names it, or
 * when it is a database that many processes use and nobody named a server.
 */
export function isOnStore({ config, effective }: LoadedConfig, flag: unknown): boolean {
  if (flag !== undefined) return true;
  const server = effective.find(({ path }) => path === 'server');
  return isSharedStore(config.store) && server?.origin === 'default';
}
