import { resolve } from 'node:path';

export type StoreAddress =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres' | 'mongodb'; readonly url: string };

/** The address, or the reason why it is none. Never repeats the text: it may hold a password. */
export function parseStoreAddress(text: string): StoreAddress | string {
  if (text === 'memory' || text === 'sqlite::memory:') return { kind: 'memory' };
  const [, scheme = ''] = /^(postgres(?:ql)?|mongodb(?:\+srv)?):/.exec(text) ?? [];
  if (scheme !== '') {
    if (!/^[^:]+:\/\/[^/\s]/.test(text)) {
      return `that is no address of a database. Use ${scheme}://USER@HOST/DATABASE`;
    }
    return { kind: scheme.startsWith('p') ? 'postgres' : 'mongodb', url: text };
  }
  const [, file] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? [];
  if (file !== undefined) return { kind: 'sqlite', file };
  return (
    'that is no store. Use sqlite:FILE (for example sqlite:batchyard.db), ' +
    'postgres://USER@HOST/DATABASE, mongodb://HOST/DATABASE or memory'
  );
}

/** For people: without passwords. */
export function formatStoreAddress(address: StoreAddress): string {
  if (address.kind === 'memory') return 'memory';
  if (address.kind === 'sqlite') return `sqlite:${address.file}`;
  return address.url.replace(/^([^:]+:\/\/[^:@/]*):[^@/]*@/, '$1:********@');
}

/** Whether processes of many machines may use it at the same time. */
export function isSharedStore({ kind }: StoreAddress): boolean {
  return kind === 'postgres' || kind === 'mongodb';
}

/** The same store, named so that the working directory no longer matters. */
export function resolveStoreAddress(address: StoreAddress, folder: string): StoreAddress {
  return address.kind === 'sqlite' ? { ...address, file: resolve(folder, address.file) } : address;
}
