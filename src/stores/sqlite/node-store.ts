import type { Node, NodeBeat, NodeReport, NodeStore, NodeWish } from '../../core/store/index.ts';
import { ensureNamespace } from './namespaces.ts';
import { toDate } from './rows.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';

interface NodeRow {
  readonly row: number;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly active: number;
  readonly wish: NodeWish;
  readonly maxRunning: number | null;
  readonly assignedVersion: number;
  readonly assignedAt: number | null;
  readonly createdAt: number;
  readonly heartbeatAt: number;
  readonly expiresAt: number;
  readonly report: string;
}

const COLUMNS = `
  row, id, namespace, name, active, wish, max_running as maxRunning,
  assigned_version as assignedVersion, assigned_at as assignedAt, created_at as createdAt,
  heartbeat_at as heartbeatAt, expires_at as expiresAt, report`;
const FIND_SQL = `
  select ${COLUMNS} from nodes where namespace = ? and name = ? and id is not null`;
const LIST_SQL = `select ${COLUMNS} from nodes where namespace = ? and id is not null`;
const BEAT_SQL = `
  update nodes set id = coalesce(id, ?), created_at = iif(id is null, ?, created_at), active = 1,
    heartbeat_at = ?, expires_at = ?, report = ?
  where row = ?`;
const UPDATE_SQL = 'update nodes set wish = ?, max_running = ? where row = ?';
const DEACTIVATE_SQL = 'update nodes set active = 0 where row = ?';
const FORGET_SQL = `
  update nodes set id = null, active = 0, wish = 'work', max_running = null, assigned_version = 0,
    assigned_at = null, report = null
  where row = ?`;

export function createNodeStore({ session, look, take, mutate }: Steps): NodeStore {
  const { db, nodes } = session;

  function find(namespace: string, name: string): NodeRow | null {
    return db.get<NodeRow>(FIND_SQL, namespace, name) ?? null;
  }

  function toNode(row: NodeRow): Node {
    return {
      ...(JSON.parse(row.report) as NodeReport),
      id: row.id,
      namespace: row.namespace,
      name: row.name,
      active: row.active === 1,
      wish: row.wish,
      maxRunning: row.maxRunning,
      assignedVersion: row.assignedVersion,
      assignedAt: toDate(row.assignedAt),
      runningCount: nodes.getByRow(row.row).liveCount,
      createdAt: new Date(row.createdAt),
      heartbeatAt: new Date(row.heartbeatAt),
      expiresAt: new Date(row.expiresAt),
    };
  }

  function beat(namespace: string, { id, name, ttlMs, report }: NodeBeat, now: number): Node {
    const { row } = nodes.ensure(namespace, name);
    db.run(BEAT_SQL, id, now, now, now + ttlMs, JSON.stringify(report), row);
    const node = find(namespace, name);
    if (!node) throw new Error(`Node "${name}" was not written down.`);
    return toNode(node);
  }

  return {
    heartbeat: (namespace, beats, step) =>
      take(step, (now) => {
        ensureNamespace(session, namespace, now);
        return beats.map((one) => beat(namespace, one, now));
      }),

    find: (namespace, name) =>
      look(() => {
        const node = find(namespace, name);
        return node && toNode(node);
      }),

    list: (namespace, { after, limit, live, parent }, step) =>
      take(step, (now) => {
        const rest = db
          .all<NodeRow>(LIST_SQL, namespace)
          .filter(({ name }) => after === null || name > after)
          .filter(({ active, expiresAt }) => !live || (active === 1 && expiresAt > now))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
          .filter(({ report }) => parent === undefined || JSON.parse(report).parent === parent);
        const page = rest.slice(0, limit);
        const last = page.at(-1);
        return {
          items: page.map(toNode),
          next: last && rest.length > limit ? last.name : null,
        };
      }),

    update: (namespace, name, change, step) =>
      mutate(step, () => {
        const node = find(namespace, name);
        if (!node) return null;
        const { wish = node.wish, maxRunning = node.maxRunning } = change;
        db.run(UPDATE_SQL, wish, maxRunning, node.row);
        Object.assign(nodes.getByRow(node.row), { wish, maxRunning });
        return toNode({ ...node, wish, maxRunning });
      }),

    deactivate: (namespace, name, step) =>
      mutate(step, () => {
        const node = find(namespace, name);
        if (!node) return 'missing';
        db.run(DEACTIVATE_SQL, node.row);
        return 'deactivated';
      }),

    delete: (namespace, name, step) =>
      mutate(step, () => {
        const node = find(namespace, name);
        if (!node) return 'missing';
        forget(session, node.row);
        return 'deleted';
      }),
  };
}

/** Its attempts keep its name, so the row stays. */
function forget({ db, nodes }: Session, row: number): void {
  db.run(FORGET_SQL, row);
  Object.assign(nodes.getByRow(row), { wish: 'work', maxRunning: null });
}

export function forgetNodes(session: Session, namespace: string): void {
  for (const { row } of session.db.all<NodeRow>(LIST_SQL, namespace)) forget(session, row);
}
