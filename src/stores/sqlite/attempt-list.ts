import type { Attempt, NodeAttemptQuery, Page } from '../../core/store/index.ts';
import { HIDDEN } from './queue-cache.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  TASK_COLUMNS,
  type TaskRow,
  toEndedAttempt,
  toLiveAttempt,
} from './rows.ts';
import type { Session } from './session.ts';
import { findTask } from './task-rows.ts';

const LIST_SQL = `select ${ATTEMPT_COLUMNS} from attempts a where a.task = ? order by a.fence`;

export function listAttempts(session: Session, namespace: string, taskId: string): Attempt[] {
  const task = findTask(session, namespace, taskId);
  if (!task) return [];
  const ended = session.db.all<AttemptRow>(LIST_SQL, task.row);
  const live = toLiveAttempt(session, task);
  return [...ended.map((row) => toEndedAttempt(session, task, row)), ...(live ? [live] : [])];
}

// By lease: a node's live tasks have no index of their own, for leases are few.
const LIVE_SQL = `
  select ${TASK_COLUMNS} from tasks t indexed by tasks_lease_idx
  where t.state in (3, 4) and t.node = ?`;

/** In order of the tasks' ids, which are the cursor. */
export function listLiveByNode(
  session: Session,
  namespace: string,
  { node: name, after, limit }: NodeAttemptQuery,
): Page<Attempt> {
  const node = session.nodes.find(namespace, name);
  if (!node) return { items: [], next: null };
  const rest = session.db
    .all<TaskRow>(LIVE_SQL, node.row)
    .filter(({ queue, id }) => isReadable(session, queue) && (after === null || id > after))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = rest.slice(0, limit);
  return {
    items: page.map((task) => toLiveAttempt(session, task)).filter((one) => one !== null),
    next: rest.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

type EndedRow = AttemptRow & Pick<TaskRow, 'row' | 'id' | 'queue' | 'key'>;

const ENDED_SQL = `
  select ${ATTEMPT_COLUMNS}, t.row, lower(hex(t.id)) as id, t.queue, t.key
  from attempts a cross join tasks t on t.row = a.task
  where a.node = ?1 and a.ended_at <= ?2
    and not (a.ended_at = ?2 and (a.task, a.fence) <= (?3, ?4))
  order by a.ended_at desc, a.task, a.fence limit ?5`;

type Cursor = readonly [endedAt: number, row: number, fence: number];

/** The newest end first; the cursor is end, row and fence. */
export function listEndedByNode(
  session: Session,
  namespace: string,
  { node: name, after, limit }: NodeAttemptQuery,
): Page<Attempt> {
  const node = session.nodes.find(namespace, name);
  if (!node) return { items: [], next: null };
  const found: EndedRow[] = [];
  let cursor = fromCursor(after);
  for (;;) {
    const some = session.db.all<EndedRow>(ENDED_SQL, node.row, ...cursor, limit + 1);
    found.push(...some.filter(({ queue }) => isReadable(session, queue)));
    const last = some.at(-1);
    if (!last || some.length <= limit || found.length > limit) break;
    cursor = [last.endedAt, last.row, last.fence];
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => toEndedAttempt(session, row, row)),
    next: last && found.length > limit ? `${last.endedAt}-${last.row}-${last.fence}` : null,
  };
}

function fromCursor(after: string | null): Cursor {
  const [endedAt, row, fence] = (after ?? '').split('-').map(Number);
  if (after === null || fence === undefined) return [Number.MAX_SAFE_INTEGER, 0, 0];
  return [endedAt ?? 0, row ?? 0, fence];
}

function isReadable({ queues }: Session, queueRow: number): boolean {
  return queues.getByRow(queueRow).fate !== HIDDEN;
}
