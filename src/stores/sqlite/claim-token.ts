import type { Claim } from '../../core/store/index.ts';
import { TASK_COLUMNS, type TaskRow, toClaim, toQuoted } from './rows.ts';
import type { Session } from './session.ts';

interface TokenHolder {
  readonly node: string;
  readonly token: string | null;
}

type HeldTask = TaskRow & { readonly rank: string };

// By lease: a node's live tasks have no index of their own, for this is rare and leases are few.
const HELD_SQL = `
  select ${TASK_COLUMNS}, hex(t.rank) as rank from tasks t indexed by tasks_lease_idx
  where t.state in (3, 4) and t.node = ? and t.claim = ?`;

/** What a call with this token got and still holds, in the order taken; null when it is not known. */
export function findRepeated(
  session: Session,
  namespace: string,
  { node: name, token }: TokenHolder,
  now: number,
): Claim[] | null {
  if (token === null) return null;
  const node = session.nodes.find(namespace, name);
  if (!node) return null;
  const call = session.db.get<{ row: number; queues: string }>(
    'select row, queues from claims where node = ? and token = ? and until > ?',
    node.row,
    toQuoted(token),
    now,
  );
  if (!call) return null;
  const turns: number[] = JSON.parse(call.queues);
  return session.db
    .all<HeldTask>(HELD_SQL, node.row, call.row)
    .sort((a, b) => turns.indexOf(a.queue) - turns.indexOf(b.queue) || byPlace(a, b))
    .map((task) => toClaim(session, task));
}

function byPlace(a: HeldTask, b: HeldTask): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1;
}

/** Writes a call down before it takes anything, and gives its number: always a new one. */
export function addCall({ db }: Session, node: number, token: string): number {
  const added = db.get<{ row: number }>(
    "insert or replace into claims (node, token, until, queues) values (?, ?, 0, '[]') returning row",
    node,
    toQuoted(token),
  );
  if (!added) throw new Error('A claim was not written down.');
  return added.row;
}

/** Keeps a call in mind until the last lease it gave would have ended; not at all if it gave none. */
export function rememberCall(
  { db, queues }: Session,
  call: number | null,
  claims: readonly Claim[],
): void {
  if (call === null) return;
  if (claims.length === 0) {
    db.run('delete from claims where row = ?', call);
    return;
  }
  const until = claims.reduce((last, { expiresAt }) => Math.max(last, expiresAt.getTime()), 0);
  const turns = [...new Set(claims.map(({ queueId }) => queueId))].map(
    (id) => queues.find(id)?.row,
  );
  db.run(
    'update claims set until = ?, queues = ? where row = ?',
    until,
    JSON.stringify(turns),
    call,
  );
}
