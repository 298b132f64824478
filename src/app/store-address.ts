import { resolve } from 'node:path';

export type StoreAddress =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly file: string };

/** The address, or the reason why it is none. Never repeats the text: it may hold a password. */
export function parseStoreAddress(text: string): StoreAddress | string {
  if (text === 'memory' || text === 'sqlite::memory:') return { kind: 'memory' };
  if (/^(postgres|postgresql|mongodb)(\+srv)?:/.test(text)) {
    return `this version keeps its data in SQLite or in memory only, not in ${text.slice(0, text.indexOf(':'))}. Use sqlite:FILE or memory`;
  }
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? [];
  if (file !== undefined) return { kind: 'sqlite', file };
  return 'that is no store. Use sqlite:FILE (for example sqlite:batchyard.db) or memory';
}

export function formatStoreAddress(address: StoreAddress): string {
  return address.kind === 'memory' ? 'memory' : `sqlite:${address.file}`;
}

/** The same store, named so that the working directory no longer matters. */
export function resolveStoreAddress(address: StoreAddress, folder: string): StoreAddress {
  return address.kind === 'memory' ? address : { ...address, file: resolve(folder, address.file) };
}
