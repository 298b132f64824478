import type { Engine, Principal } from '../../core/index.ts';

export type FindHandle = (principal: Principal, namespace: string) => Engine;

const MOST_KEPT = 1000;

/** Keeps handles: making one costs several times what most requests do. */
export function keepHandles(makeHandle: FindHandle): FindHandle {
  const kept = new Map<string, Engine>();
  return (principal, namespace) => {
    const { name, role, namespaces } = principal;
    const key = JSON.stringify([name, role, namespaces, namespace]);
    const found = kept.get(key);
    if (found) return found;
    if (kept.size >= MOST_KEPT) kept.clear();
    const handle = makeHandle(principal, namespace);
    kept.set(key, handle);
    return handle;
  };
}
