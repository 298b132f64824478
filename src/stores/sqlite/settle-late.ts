import type { SettleAnswer, Settlement } from '../../core/store/index.ts';
import { FAILED, fromStateCode, ORPHANED, toOutcomeCode } from './codes.ts';
import { type TaskRow, toQuoted, toText } from './rows.ts';
import type { Session } from './session.ts';
import { findTask, saveTask } from './task-rows.ts';
import { succeedLate } from './transitions.ts';

interface Ended {
  readonly outcome: number;
  readonly lateOutcome: number | null;
  readonly isLast: number;
}

const ENDED_SQL = `
  select outcome, late_outcome as lateOutcome,
    fence = (select max(fence) from attempts where task = a.task) as isLast
  from attempts a where a.task = ? and a.fence = ?`;
const SAY_LATE_SQL = `
  update attempts set late_outcome = ?, late_data = ?, late_at = ? where task = ? and fence = ?`;

/** What an attempt says that is not, or no longer, the live one. */
export function settleLate(
  session: Session,
  namespace: string,
  item: Settlement,
  now: number,
): SettleAnswer {
  const { taskId } = item;
  const task = findTask(session, namespace, taskId);
  const fence = item.fence ?? 0;
  const status = task ? sayLate(session, task, item, now) : 'lost';
  return { taskId, fence, status, state: task && fromStateCode(task.state) };
}

function sayLate(
  session: Session,
  task: TaskRow,
  item: Settlement,
  now: number,
): SettleAnswer['status'] {
  const { db } = session;
  const ended = db.get<Ended>(ENDED_SQL, task.row, item.fence ?? 0);
  const outcome = toOutcomeCode(item.outcome);
  if (!ended) return 'lost';
  if (ended.outcome === outcome || ended.lateOutcome === outcome) return 'repeated';
  if (ended.lateOutcome !== null) return 'lost';

  db.run(SAY_LATE_SQL, outcome, toText(item.data), now, task.row, item.fence);
  const isOpenToSuccess = task.state === FAILED || task.state === ORPHANED;
  if (item.outcome !== 'succeeded' || !isOpenToSuccess || ended.isLast === 0) return 'late';
  if (item.data !== undefined) task.result = toText(item.data);
  task.error = item.error === null ? null : toQuoted(item.error);
  task.code = item.code;
  succeedLate(session, task, now);
  saveTask(session, task);
  return 'applied';
}
