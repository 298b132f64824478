import type { NodeWish } from '../../core/store/index.ts';
import type { Database } from './database.ts';

/** A node in memory, as far as claims need it. */
export interface NodeEntry {
  readonly row: number;
  readonly namespace: string;
  readonly name: string;
  wish: NodeWish;
  maxRunning: number | null;
  /** Live attempts, in all and by the queue's row. */
  liveCount: number;
  readonly livesByQueue: Map<number, number>;
}

export interface NodeCache {
  find(namespace: string, name: string): NodeEntry | null;
  /** Gives a name its number if it has none yet; that does not register the node. */
  ensure(namespace: string, name: string): NodeEntry;
  getByRow(row: number): NodeEntry;
  /** Counts attempts that begin (1) or end (−1). */
  addLives(entry: NodeEntry, queueRow: number, count: number): void;
  hasLives(namespace: string): boolean;
  forgetQueue(queueRow: number): void;
  load(): void;
}

/** Names without live attempts are dropped beyond this many; they are read again when needed. */
const MOST_IDLE = 10_000;

const COLUMNS = 'row, namespace, name, wish, max_running as maxRunning';
const FIND_SQL = `select ${COLUMNS} from nodes where namespace = ? and name = ?`;
const GET_SQL = `select ${COLUMNS} from nodes where row = ?`;
const ADD_SQL = 'insert into nodes (namespace, name) values (?, ?)';
// Lease order, so that only live tasks are read.
const LIVES_SQL = `
  select t.node, t.queue, count(*) from tasks t indexed by tasks_lease_idx
  join queues q on q.row = t.queue and q.fate < 2
  where t.state in (3, 4) group by t.node, t.queue`;

type NodeRow = Pick<NodeEntry, 'row' | 'namespace' | 'name' | 'wish' | 'maxRunning'>;

export function createNodeCache(db: Database): NodeCache {
  const byRow = new Map<number, NodeEntry>();
  const byName = new Map<string, NodeEntry>();

  // Names hold no control characters, so the two cannot run into each other.
  const keyOf = (namespace: string, name: string) => `${namespace}\n${name}`;

  function put(row: NodeRow): NodeEntry {
    if (byRow.size >= MOST_IDLE) dropIdle();
    const entry: NodeEntry = { ...row, liveCount: 0, livesByQueue: new Map() };
    byRow.set(entry.row, entry);
    byName.set(keyOf(entry.namespace, entry.name), entry);
    return entry;
  }

  function dropIdle(): void {
    for (const entry of byRow.values()) {
      if (entry.liveCount > 0) continue;
      byRow.delete(entry.row);
      byName.delete(keyOf(entry.namespace, entry.name));
    }
  }

  function find(namespace: string, name: string): NodeEntry | null {
    const known = byName.get(keyOf(namespace, name));
    if (known) return known;
    const row = db.get<NodeRow>(FIND_SQL, namespace, name);
    return row ? put(row) : null;
  }

  function getByRow(row: number): NodeEntry {
    const known = byRow.get(row);
    if (known) return known;
    const found = db.get<NodeRow>(GET_SQL, row);
    if (!found) throw new Error(`An attempt is of node ${row}, which is not there.`);
    return put(found);
  }

  function addLives(entry: NodeEntry, queueRow: number, count: number): void {
    const lives = (entry.livesByQueue.get(queueRow) ?? 0) + count;
    if (lives === 0) entry.livesByQueue.delete(queueRow);
    else entry.livesByQueue.set(queueRow, lives);
    entry.liveCount += count;
  }

  return {
    find,
    ensure(namespace, name) {
      const known = find(namespace, name);
      if (known) return known;
      db.run(ADD_SQL, namespace, name);
      const added = find(namespace, name);
      if (!added) throw new Error(`Node "${name}" was not added.`);
      return added;
    },
    getByRow,
    addLives,
    hasLives: (namespace) =>
      [...byRow.values()].some((one) => one.liveCount > 0 && one.namespace === namespace),
    forgetQueue(queueRow) {
      for (const entry of byRow.values()) {
        const lives = entry.livesByQueue.get(queueRow);
        if (lives !== undefined) addLives(entry, queueRow, -lives);
      }
    },
    load() {
      byRow.clear();
      byName.clear();
      for (const [node, queue, count] of db.tuples<[number, number, number]>(LIVES_SQL, [])) {
        addLives(getByRow(node), queue, count);
      }
    },
  };
}
