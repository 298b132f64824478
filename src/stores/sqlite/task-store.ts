import type { PurgeStep, TaskStore } from '../../core/store/index.ts';
import { isFinalCode, QUEUED, toStateCode } from './codes.ts';
import { fromLimitKeys, fullLimits } from './keyed-limits.ts';
import { HERE } from './queue-cache.ts';
import { CORE_COLUMNS, type TaskCore, type TaskRow, toIdBytes, toTask } from './rows.ts';
import type { Session } from './session.ts';
import type { Steps } from './steps.ts';
import { listTasks } from './task-list.ts';
import { editTask, moveTask } from './task-move.ts';
import { deleteTasks, findTask, findTaskAnywhere, findTaskByKey } from './task-rows.ts';
import { submitTasks } from './task-submit.ts';

export function createTaskStore(steps: Steps): TaskStore {
  const { session, look, take, takeAsOfNow, mutate, mutateAsOfNow } = steps;
  const show = (task: TaskRow | null) => task && toTask(session, task);
  return {
    submit: (submission, step) => mutate(step, (now) => submitTasks(session, submission, now)),

    find: (namespace, id, step) => takeAsOfNow(step, () => show(findTask(session, namespace, id))),

    peek: (namespace, ids) => look(() => ids.map((id) => show(findTask(session, namespace, id)))),

    findByKey: (queueId, key, step) =>
      takeAsOfNow(step, () => {
        const entry = session.queues.find(queueId);
        return entry && show(findTaskByKey(session, entry.row, key));
      }),

    list: (namespace, query, step) => takeAsOfNow(step, () => listTasks(session, namespace, query)),

    move: ({ ids, ...move }, step) =>
      mutateAsOfNow(step, (now) => ids.map((id) => moveTask(session, move, id, now))),

    edit: ({ namespace, ids, change }, step) =>
      mutateAsOfNow(step, (now) =>
        ids.map((id) => show(editTask(session, namespace, { id, change }, now))),
      ),

    delete: ({ namespace, ids, onlyStates }, step) =>
      mutateAsOfNow(step, () => {
        const states = onlyStates && new Set(onlyStates.map(toStateCode));
        const tasks = [...new Set(ids)]
          .map((id) => findTask(session, namespace, id))
          .filter((task) => task !== null)
          .filter(({ state }) => !states || states.has(state));
        deleteTasks(session, tasks);
        return tasks.length;
      }),

    purge: (purge, step) => take(step, () => purgeTasks(session, purge)),

    position: (id, limit, step) =>
      takeAsOfNow(step, (now) => {
        const task = findTaskAnywhere(session, id);
        const entry = task && session.queues.getByRow(task.queue);
        if (!entry || task.state !== QUEUED || entry.fate !== HERE) return null;
        return {
          ahead: countAhead(session, task, limit),
          fullLimits: fullLimits(session.db, entry, fromLimitKeys(task.limitKeys), now),
        };
      }),
  };
}

export const PURGE_SQL = `
  select ${CORE_COLUMNS} from tasks t
  where t.queue = ? and t.state = ? and t.ended_at is not null and t.ended_at < ?
  order by t.ended_at limit ?`;

function purgeTasks(session: Session, { queueId, states, endedBefore, limit }: PurgeStep): number {
  const entry = session.queues.find(queueId);
  if (!entry) return 0;
  const codes = [...new Set(states)].map(toStateCode).filter(isFinalCode);
  const ended = codes
    .flatMap((code) =>
      session.db.all<TaskCore>(PURGE_SQL, entry.row, code, endedBefore.getTime(), limit),
    )
    .sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  deleteTasks(session, ended);
  return ended.length;
}

export const HIGHER_SQL = `
  select count(*) as count from (
    select 1 from tasks where queue = ? and state = 0 and priority > ? limit ?)`;
export const BEFORE_SQL = `
  select count(*) as count from (
    select 1 from tasks
    where queue = ? and state = 0 and priority = ? and (rank, id) < (?, ?) limit ?)`;

function countAhead({ db }: Session, task: TaskRow, limit: number): number {
  const { rank } = db.get<{ rank: Uint8Array }>(
    'select rank from tasks where row = ?',
    task.row,
  ) ?? { rank: new Uint8Array() };
  const counted = (row: { count: number } | undefined): number => row?.count ?? 0;
  const higher = counted(db.get(HIGHER_SQL, task.queue, task.priority, limit));
  const place = [task.queue, task.priority, rank, toIdBytes(task.id)];
  return higher + counted(db.get(BEFORE_SQL, ...place, limit - higher));
}
