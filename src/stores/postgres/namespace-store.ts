import type { NamespaceStore } from '../../core/store/index.ts';
import { lockDefinitionAlone } from './locks.ts';
import { ensureNamespace } from './namespaces.ts';
import { FORGET_NODES_SQL } from './node-store.ts';
import { hideQueue } from './queue-delete.ts';
import type { Steps } from './steps.ts';

const LIST_SQL = 'select name, created_at as "createdAt" from namespaces';
const QUEUES_SQL = 'select row from queues where namespace = $1 and fate < 2 order by row';

export function createNamespaceStore({ database, mutate, recent }: Steps): NamespaceStore {
  return {
    async list() {
      const rows = await database.look<{ name: string; createdAt: number }>(LIST_SQL);
      return rows
        .map(({ name, createdAt }) => ({ name, createdAt: new Date(createdAt) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    ensure: (name, step) => mutate(step, ({ db, now }) => ensureNamespace(db, name, now)),

    delete: (name, step) =>
      mutate(step, async (work) => {
        const { db } = work;
        if ((await db.run('delete from namespaces where name = $1', name)) === 0)
          return 'missing' as const;
        for (const { row } of await db.all<{ row: number }>(QUEUES_SQL, name)) {
          await lockDefinitionAlone(db, row);
          await hideQueue(work, row);
        }
        await db.run(FORGET_NODES_SQL, name);
        return 'deleted' as const;
      }).finally(recent.forget),
  };
}
