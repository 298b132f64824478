import type { Claim } from '../../core/store/index.ts';
import { TASK_COLUMNS, type TaskRow, toClaim } from './rows.ts';
import type { Session } from './session.ts';

interface Call {
  readonly node: string;
  readonly token: string | null;
  /** In which order the call took from queues. */
  readonly picks: readonly { readonly queueId: string }[];
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
  { node: name, token, picks }: Call,
  now: number,
): Claim[] | null {
  if (token === null) return null;
  const node = session.nodes.find(namespace, name);
  if (!node) return null;
  const call = session.db.get<{ row: number }>(
    'select row from claims where node = ? and token = ? and until > ?',
    node.row,
    token,
    now,
  );
  if (!call) return null;
  const turns = new Map(picks.map(({ queueId }, turn) => [queueId, turn]));
  const turnOf = ({ queue }: HeldTask) => turns.get(session.queues.getByRow(queue).queue.id) ?? 0;
  return session.db
    .all<HeldTask>(HELD_SQL, node.row, call.row)
    .sort((a, b) => turnOf(a) - turnOf(b) || byPlace(a, b))
    .map((task) => toClaim(session, task));
}

function byPlace(a: HeldTask, b: HeldTask): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  return a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1;
}

/** Writes a call down before it takes anything, and gives its number: always a new one. */
export function addCall({ db }: Session, node: number, token: string): number {
  const added = db.get<{ row: number }>(
    'insert or replace into claims (node, token, until) values (?, ?, 0) returning row',
    node,
    token,
  );
  if (!added) throw new Error('A claim was not written down.');
  return added.row;
}

/** Keeps a call in mind until the last lease it gave would have ended; not at all if it gave none. */
export function rememberCall({ db }: Session, call: number | null, claims: readonly Claim[]): void {
  if (call === null) return;
  const until = claims.reduce((last, { expiresAt }) => Math.max(last, expiresAt.getTime()), 0);
  if (claims.length === 0) db.run('delete from claims where row = ?', call);
  else db.run('update claims set until = ? where row = ?', until, call);
}
