import type { Database } from './database.ts';

/** Numbers of node names. A name keeps its number for good, so they are known here once seen. */
export interface NodeNames {
  find(namespace: string, name: string): Promise<number | null>;
  /** Gives a name its number if it has none yet; that does not register the node. */
  ensure(namespace: string, name: string): Promise<number>;
}

const MOST_KNOWN = 10_000;

const FIND_SQL = 'select row from nodes where namespace = $1 and name = $2';
const ADD_SQL = 'insert into nodes (namespace, name) values ($1, $2) on conflict do nothing';

export function createNodeNames(database: Database): NodeNames {
  const rows = new Map<string, number>();

  async function find(namespace: string, name: string): Promise<number | null> {
    // Names hold no control characters, so the two cannot run into each other.
    const both = `${namespace}\n${name}`;
    const known = rows.get(both);
    if (known !== undefined) return known;
    const [found] = await database.look<{ row: number }>(FIND_SQL, namespace, name);
    if (!found) return null;
    if (rows.size >= MOST_KNOWN) rows.clear();
    rows.set(both, found.row);
    return found.row;
  }

  return {
    find,
    async ensure(namespace, name) {
      for (;;) {
        const row = await find(namespace, name);
        if (row !== null) return row;
        await database.step(ADD_SQL, [namespace, name], true);
      }
    },
  };
}
