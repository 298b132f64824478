import type { NamespaceStore } from '../../core/store/index.ts';
import { ensureNamespace } from './namespaces.ts';
import { forgetNodes } from './node-store.ts';
import { hideQueue } from './queue-delete.ts';
import type { Steps } from './steps.ts';

export function createNamespaceStore({ session, look, mutate }: Steps): NamespaceStore {
  const { db, queues } = session;
  return {
    list: () =>
      look(() =>
        db
          .all<{ name: string; createdAt: number }>(
            'select name, created_at as createdAt from namespaces',
          )
          .map(({ name, createdAt }) => ({ name, createdAt: new Date(createdAt) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      ),

    ensure: (name, step) => mutate(step, (now) => ensureNamespace(session, name, now)),

    delete: (name, step) =>
      mutate(step, () => {
        if (db.run('delete from namespaces where name = ?', name) === 0) return 'missing';
        for (const entry of queues.listReadable(name)) hideQueue(session, entry);
        forgetNodes(session, name);
        return 'deleted';
      }),
  };
}
