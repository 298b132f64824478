import { existsSync } from 'node:fs';
import { BatchError, type Clock, invalid, type Random } from '../core/index.ts';
import type { Store } from '../core/store/index.ts';
import { openStore } from './open-store.ts';
import type { StoreAddress } from './store-address.ts';

export interface ArchiveContext {
  readonly clock: Clock;
  readonly random: Random;
}

/** Opens a store to copy from or to. Throws STORE_UNAVAILABLE or INVALID_REQUEST. */
export async function openArchive(address: StoreAddress, context: ArchiveContext): Promise<Store> {
  if (address.kind === 'memory') {
    throw invalid('memory', 'a store in memory ends with its process', 'Use sqlite:FILE');
  }
  return openStore(address, context).catch((error: unknown) => {
    throw withOwnRemedy(error);
  });
}

/** A store that must be there already: opening a file that is missing would make an empty one. */
export function checkThere(address: StoreAddress): void {
  if (address.kind !== 'sqlite' || existsSync(address.file)) return;
  throw new BatchError('STORE_UNAVAILABLE', {
    problem: `there is no file ${address.file}`,
    remedy: 'Name a store that is there.',
  });
}

/** A server is of no use here: whoever copies has the file to himself. */
function withOwnRemedy(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.details.owner === undefined) return error;
  const { problem = '', owner } = error.details;
  const remedy = `Stop ${owner} first: this needs the file for itself. (batchyard backup works while it runs.)`;
  return new BatchError('STORE_UNAVAILABLE', { problem, remedy }, { cause: error });
}
