import type { Node, NodeBeat, NodeReport, NodeStore, NodeWish } from '../../core/store/index.ts';
import { toNumbers, toTexts } from './array-literal.ts';
import { lockNode } from './locks.ts';
import { ensureNamespace } from './namespaces.ts';
import { msOf, type Steps } from './steps.ts';
import { toDate } from './values.ts';
import type { Work } from './work.ts';

interface NodeRow {
  readonly row: number;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly active: boolean;
  readonly wish: NodeWish;
  readonly maxRunning: number | null;
  readonly assignedVersion: number;
  readonly assignedAt: number | null;
  readonly runningCount: number;
  readonly createdAt: number;
  readonly heartbeatAt: number;
  readonly expiresAt: number;
  readonly report: string;
}

const COLUMNS = `
  n.row, n.id, n.namespace, n.name, n.active, n.wish, n.max_running as "maxRunning",
  n.assigned_version as "assignedVersion", n.assigned_at as "assignedAt",
  n.created_at as "createdAt", n.heartbeat_at as "heartbeatAt", n.expires_at as "expiresAt",
  n.report,
  (select count(*) from tasks t where t.node = n.row and t.state in (3, 4)) as "runningCount"`;
const FIND_SQL = `
  select ${COLUMNS} from nodes n where n.namespace = $1 and n.name = $2 and n.id is not null`;
const FIND_ALL_SQL = `
  select ${COLUMNS} from nodes n
  where n.namespace = $1 and n.name = any($2::text[]) and n.id is not null`;
const LIST_SQL = `
  select ${COLUMNS} from nodes n
  where n.namespace = $1 and n.id is not null
    and (not $2::bool or (n.active and n.expires_at > coalesce($3::int8, now_ms())))`;
// By name, so that two calls never wait for each other.
const BEAT_SQL = `
  insert into nodes as n (namespace, name, id, created_at, active, heartbeat_at, expires_at, report)
  select $1, e.name, e.id, $2::int8, true, $2::int8, $2::int8 + e.ttl, e.report
  from unnest($3::text[], $4::text[], $5::int8[], $6::text[]) e(name, id, ttl, report)
  order by e.name
  on conflict (namespace, name) do update set id = coalesce(n.id, excluded.id),
    created_at = case when n.id is null then excluded.created_at else n.created_at end,
    active = true, heartbeat_at = excluded.heartbeat_at, expires_at = excluded.expires_at,
    report = excluded.report`;
const UPDATE_SQL = 'update nodes set wish = $2, max_running = $3 where row = $1';
const DEACTIVATE_SQL = 'update nodes set active = false where row = $1';
const FORGOTTEN = `id = null, active = false, wish = 'work', max_running = null,
  assigned_version = 0, assigned_at = null, report = null`;
// Its attempts keep its name, so the row stays.
const FORGET_SQL = `update nodes set ${FORGOTTEN} where row = $1`;
export const FORGET_NODES_SQL = `update nodes set ${FORGOTTEN} where namespace = $1`;

export function createNodeStore({ database, take, mutate }: Steps): NodeStore {
  return {
    heartbeat: (namespace, beats, step) =>
      take(step, (work) => beatAll(work, namespace, beats), { isRepeatable: true }),

    async find(namespace, name) {
      const [node] = await database.look<NodeRow>(FIND_SQL, namespace, name);
      return node ? toNode(node) : null;
    },

    async list(namespace, { after, limit, live = false, parent }, step) {
      const values = [namespace, live, msOf(step)];
      const rows = await database.list((tx) => tx.all<NodeRow>(LIST_SQL, ...values));
      const rest = rows
        .filter(({ name }) => after === null || name > after)
        .filter(({ report }) => parent === undefined || JSON.parse(report).parent === parent)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const page = rest.slice(0, limit);
      return {
        items: page.map(toNode),
        next: rest.length > limit ? (page.at(-1)?.name ?? null) : null,
      };
    },

    update: (namespace, name, change, step) =>
      mutate(step, async ({ db }) => {
        const known = await db.get<NodeRow>(FIND_SQL, namespace, name);
        if (!known) return null;
        await lockNode(db, known.row);
        const node = (await db.get<NodeRow>(FIND_SQL, namespace, name)) ?? known;
        const { wish = node.wish, maxRunning = node.maxRunning } = change;
        await db.run(UPDATE_SQL, node.row, wish, maxRunning);
        return toNode({ ...node, wish, maxRunning });
      }),

    deactivate: (namespace, name, step) =>
      mutate(step, async ({ db }) => {
        const node = await db.get<NodeRow>(FIND_SQL, namespace, name);
        if (!node) return 'missing';
        await db.run(DEACTIVATE_SQL, node.row);
        return 'deactivated';
      }),

    delete: (namespace, name, step) =>
      mutate(step, async ({ db }) => {
        const node = await db.get<NodeRow>(FIND_SQL, namespace, name);
        if (!node) return 'missing';
        await lockNode(db, node.row);
        await db.run(FORGET_SQL, node.row);
        return 'deleted';
      }),
  };
}

async function beatAll(
  { db, now }: Work,
  namespace: string,
  beats: readonly NodeBeat[],
): Promise<Node[]> {
  await ensureNamespace(db, namespace, now);
  const last = new Map<string, NodeBeat>();
  for (const beat of beats) {
    const { id } = last.get(beat.name) ?? beat;
    last.set(beat.name, { ...beat, id });
  }
  const each = [...last.values()];
  await db.run(
    BEAT_SQL,
    namespace,
    now,
    toTexts(each.map(({ name }) => name)),
    toTexts(each.map(({ id }) => id)),
    toNumbers(each.map(({ ttlMs }) => ttlMs)),
    toTexts(each.map(({ report }) => JSON.stringify(report))),
  );
  const rows = await db.all<NodeRow>(FIND_ALL_SQL, namespace, toTexts([...last.keys()]));
  const nodes = new Map(rows.map((row) => [row.name, row]));
  return beats.map(({ name, ttlMs, report }) => {
    const node = nodes.get(name);
    if (!node) throw new Error(`Node "${name}" was not written down.`);
    return toNode({ ...node, expiresAt: now + ttlMs, report: JSON.stringify(report) });
  });
}

function toNode(row: NodeRow): Node {
  return {
    ...(JSON.parse(row.report) as NodeReport),
    id: row.id,
    namespace: row.namespace,
    name: row.name,
    active: row.active,
    wish: row.wish,
    maxRunning: row.maxRunning,
    assignedVersion: row.assignedVersion,
    assignedAt: toDate(row.assignedAt),
    runningCount: row.runningCount,
    createdAt: new Date(row.createdAt),
    heartbeatAt: new Date(row.heartbeatAt),
    expiresAt: new Date(row.expiresAt),
  };
}
