import type { ArchivedTask, ArchiveQuery, Page } from '../../core/store/index.ts';
import { inOrder } from './ordered-merge.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  fromQuoted,
  TASK_COLUMNS,
  type TaskRow,
  toEndedAttempt,
  toTask,
} from './rows.ts';
import type { Session } from './session.ts';
import { sourcesOf } from './task-sources.ts';

const WHOLE_SQL = `
  select ${TASK_COLUMNS}, t.rank, t.unique_key as uniqueKey from tasks t where t.row = ?`;
const ATTEMPTS_SQL = `select ${ATTEMPT_COLUMNS} from attempts a where a.task = ? order by a.fence`;
const HAS_OUTPUT_SQL = 'select 1 from outputs where task = ? and fence = ? limit 1';

type WholeRow = TaskRow & { readonly rank: Uint8Array; readonly uniqueKey: string | null };

export function listArchivedTasks(session: Session, query: ArchiveQuery): Page<ArchivedTask> {
  const { namespace, queueId, after, limit, limitBytes } = query;
  const wanted = { queueIds: [queueId], sort: 'id', direction: 'asc', after, limit } as const;
  const sources = sourcesOf(session, namespace, wanted);
  const items: ArchivedTask[] = [];
  let size = 0;
  for (const [, row] of inOrder(sources, ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    if (items.length >= limit || (items.length > 0 && size >= limitBytes)) {
      return { items, next: items.at(-1)?.task.id ?? after };
    }
    const task = session.db.get<WholeRow>(WHOLE_SQL, row);
    if (!task) continue;
    const attempts = session.db.all<AttemptRow>(ATTEMPTS_SQL, row);
    items.push(toArchived(session, task, attempts));
    size += sizeOf(task, attempts);
  }
  return { items, next: null };
}

function toArchived(
  session: Session,
  task: WholeRow,
  attempts: readonly AttemptRow[],
): ArchivedTask {
  const { row, rank, uniqueKey } = task;
  const whole = toTask(session, task);
  const fences = attempts.map(({ fence }) => fence);
  if (whole.attempt) fences.push(whole.attempt.fence);
  return {
    task: whole,
    rank,
    uniqueKey: uniqueKey === null ? null : fromQuoted(uniqueKey),
    attempts: attempts.map((attempt) => toEndedAttempt(session, task, attempt)),
    outputFences: fences.filter((fence) => session.db.get(HAS_OUTPUT_SQL, row, fence)),
  };
}

function sizeOf({ params, result }: WholeRow, attempts: readonly AttemptRow[]): number {
  const own = params.length + (result?.length ?? 0);
  return attempts.reduce(
    (sum, { data, lateData }) => sum + (data?.length ?? 0) + (lateData?.length ?? 0),
    own,
  );
}
