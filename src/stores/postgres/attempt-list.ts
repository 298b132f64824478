import type { Attempt, NodeAttemptQuery, Page } from '../../core/store/index.ts';
import type { Database } from './database.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  SHOWN_COLUMNS,
  SHOWN_FROM,
  type ShownTask,
  toEndedAttempt,
  toLiveAttempt,
} from './rows.ts';
import { isIdHex } from './task-rows.ts';

const ATTEMPTS_FROM = `
  attempts a join tasks t on t.id = a.task join queues q on q.row = t.queue and q.fate < 2
  join nodes n on n.row = a.node`;
const LIST_SQL = `
  select ${ATTEMPT_COLUMNS} from ${ATTEMPTS_FROM}
  where a.task = $1::bytea and q.namespace = $2 order by a.fence`;
const LIVE_SQL = `
  select ${SHOWN_COLUMNS} from ${SHOWN_FROM}
  where t.id = $1::bytea and q.namespace = $2 and t.state + 0 in (3, 4)`;

export async function listAttempts(
  database: Database,
  namespace: string,
  taskId: string,
): Promise<Attempt[]> {
  if (!isIdHex(taskId)) return [];
  return database.list(async (tx) => {
    const live = await tx.get<ShownTask>(LIVE_SQL, `\\x${taskId}`, namespace);
    const ended = await tx.all<AttemptRow>(LIST_SQL, `\\x${taskId}`, namespace);
    const last = live && toLiveAttempt(live);
    return [...ended.map(toEndedAttempt), ...(last ? [last] : [])];
  });
}

const LIVE_BY_NODE_SQL = `
  select ${SHOWN_COLUMNS} from ${SHOWN_FROM}
  where n.namespace = $1 and n.name = $2 and t.state in (3, 4) and t.id > $3::bytea
  order by t.id limit $4`;

/** In order of the tasks' ids, which are the cursor. */
export async function listLiveByNode(
  database: Database,
  namespace: string,
  { node, after, limit }: NodeAttemptQuery,
): Promise<Page<Attempt>> {
  const values = [namespace, node, `\\x${after ?? ''}`, limit + 1];
  const found = await database.list((tx) => tx.all<ShownTask>(LIVE_BY_NODE_SQL, ...values));
  const page = found.slice(0, limit);
  return {
    items: page.map(toLiveAttempt).filter((one) => one !== null),
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

const ENDED_BY_NODE_SQL = `
  select ${ATTEMPT_COLUMNS} from ${ATTEMPTS_FROM}
  where n.namespace = $1 and n.name = $2 and a.ended_at <= $3
    and not (a.ended_at = $3 and (a.task, a.fence) <= ($4::bytea, $5))
  order by a.ended_at desc, a.task, a.fence limit $6`;

/** The newest end first; the cursor is end, task and fence. */
export async function listEndedByNode(
  database: Database,
  namespace: string,
  { node, after, limit }: NodeAttemptQuery,
): Promise<Page<Attempt>> {
  const [endedAt, task, fence] = (after ?? '').split('-');
  const cursor =
    after === null || fence === undefined
      ? [Number.MAX_SAFE_INTEGER, '\\x', 0]
      : [Number(endedAt), `\\x${task}`, Number(fence)];
  const values = [namespace, node, ...cursor, limit + 1];
  const found = await database.list((tx) => tx.all<AttemptRow>(ENDED_BY_NODE_SQL, ...values));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toEndedAttempt),
    next: last && found.length > limit ? `${last.endedAt}-${last.task}-${last.fence}` : null,
  };
}
