import type { PurgeStep, Task, TaskStore } from '../../core/store/index.ts';
import { toByteas, toNumbers } from './array-literal.ts';
import { isFinalCode, isLiveCode, QUEUED, toStateCode } from './codes.ts';
import { rollDue } from './due.ts';
import { fromLimitKeys, readRooms } from './keyed-limits.ts';
import { HERE, HIDDEN } from './queue-entry.ts';
import {
  SHOWN_COLUMNS,
  SHOWN_FROM,
  type ShownTask,
  TASK_COLUMNS,
  type TaskRow,
  toTask,
} from './rows.ts';
import { msOf, runOnce, runWork, type Steps } from './steps.ts';
import { joinTransaction, tellReady as tellOnCommit } from './submit-in.ts';
import { createPlainSubmitter, isPlainTask } from './submit-plain.ts';
import { listTasks } from './task-list.ts';
import { editTask, moveTask } from './task-move.ts';
import {
  adopt,
  deleteRows,
  isIdHex,
  lockDefinitions,
  lockTasks,
  lockTasksIn,
  readQueues,
} from './task-rows.ts';
import { submitTasks } from './task-submit.ts';
import { tellReady } from './transitions.ts';
import { toHex } from './values.ts';
import { countMove, entryOf, type Work } from './work.ts';

export const FIND_SQL = `
  select ${SHOWN_COLUMNS} from unnest($1::bytea[]) e(id)
  cross join lateral (select * from tasks t where t.id = e.id limit 1) t
  join queues q on q.row = t.queue and q.fate < 2 and q.namespace = $2
  left join nodes n on n.row = t.node`;
export const FIND_BY_KEY_SQL = `
  select ${SHOWN_COLUMNS} from ${SHOWN_FROM}
  where q.id = $1 and t.key is not null
    and substring(t.key, 1, 1000) = substring($2::bytea, 1, 1000) and sha256(t.key) = sha256($2::bytea)`;

export function createTaskStore(steps: Steps): TaskStore {
  const { database, take, mutate } = steps;
  const submitter = createPlainSubmitter(steps);

  async function peek(namespace: string, ids: readonly string[]): Promise<(Task | null)[]> {
    const known = [...new Set(ids)].filter(isIdHex);
    const rows = await database.look<ShownTask>(FIND_SQL, toByteas(known), namespace);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      return row ? toTask(row) : null;
    });
  }

  return {
    async submit(submission, step) {
      if (!step.once && submission.tasks.every(isPlainTask)) {
        const answer = await submitter.submit(submission, msOf(step));
        if (answer) return answer;
      }
      return mutate(step, (work) => submitTasks(work, submission));
    },

    submitIn: (given, submission, step) =>
      joinTransaction(given, database.schema, async (tx) => {
        const run = runOnce(step, (work) => submitTasks(work, submission));
        const { answer } = await runWork(tx, step, run);
        await tellOnCommit(tx, submission);
        return answer;
      }),

    async find(namespace, id, step) {
      await rollDue(steps, step);
      const [task] = await peek(namespace, [id]);
      return task ?? null;
    },

    peek,

    async findByKey(queueId, key, step) {
      await rollDue(steps, step);
      const [row] = await database.look<ShownTask>(FIND_BY_KEY_SQL, queueId, `\\x${toHex(key)}`);
      return row ? toTask(row) : null;
    },

    async list(namespace, query, step) {
      await rollDue(steps, step);
      return database.list((tx) => listTasks(tx, namespace, query));
    },

    async move({ namespace, ids, ...move }, step) {
      await rollDue(steps, step);
      return mutate(step, async (work) => {
        const tasks = await lockTasksIn(work, namespace, ids);
        return ids.map((id) => {
          const task = tasks.get(id);
          return task ? moveTask(work, move, task) : { id, status: 'missing', state: null };
        });
      });
    },

    async edit({ namespace, ids, change }, step) {
      await rollDue(steps, step);
      return mutate(step, async (work) => {
        const tasks = await lockTasksIn(work, namespace, ids);
        const names = await readNodeNames(work, [...tasks.values()]);
        return ids.map((id) => {
          const task = tasks.get(id);
          if (!task) return null;
          editTask(work, change, task);
          return toTask(toShown(work, task, names));
        });
      });
    },

    async delete({ namespace, ids, onlyStates }, step) {
      await rollDue(steps, step);
      return mutate(step, async (work) => {
        const states = onlyStates && new Set(onlyStates.map(toStateCode));
        const tasks = [...(await lockTasksIn(work, namespace, ids)).values()];
        return deleteTasks(
          work,
          tasks.filter(({ state }) => !states || states.has(state)),
        );
      });
    },

    purge: (purge, step) => take(step, (work) => purgeTasks(work, purge), { isRepeatable: true }),

    async position(id, limit, step) {
      await rollDue(steps, step);
      if (!isIdHex(id)) return null;
      return take(step, async (work) => {
        const [row] = await work.db.all<TaskRow>(POSITION_TASK_SQL, `\\x${id}`);
        const [task] = await adopt(work, row ? [row] : []);
        const entry = task && work.queues.get(task.queue);
        if (!entry || task.state !== QUEUED || entry.fate !== HERE) return null;
        const rooms = await readRooms(work.db, entry, work.now);
        return {
          ahead: await countAhead(work, task, limit),
          fullLimits: rooms.fullFor(fromLimitKeys(task.limitKeys)),
        };
      });
    },
  };
}

const NODE_NAMES_SQL = 'select row, name from nodes where row = any($1::int4[])';

async function readNodeNames(
  work: Work,
  tasks: readonly TaskRow[],
): Promise<ReadonlyMap<number, string>> {
  const rows = tasks.map(({ node }) => node).filter((node) => node !== null);
  // A delayed external task that is readied now gets the node of external tasks, called "".
  if (rows.length === 0) return new Map();
  const names = await work.db.all<{ row: number; name: string }>(NODE_NAMES_SQL, toNumbers(rows));
  return new Map(names.map(({ row, name }) => [row, name]));
}

function toShown(work: Work, task: TaskRow, names: ReadonlyMap<number, string>): ShownTask {
  const { id: queueId, name: queueName, namespace } = entryOf(work, task).queue;
  const nodeName = task.node === null ? null : (names.get(task.node) ?? '');
  return { ...task, queueId, queueName, namespace, nodeName };
}

async function deleteTasks(work: Work, tasks: readonly TaskRow[]): Promise<number> {
  if (tasks.length === 0) return 0;
  for (const task of tasks) {
    countMove(work, task.queue, task.state, null);
    if (isLiveCode(task.state)) tellReady(work, task);
  }
  await deleteRows(
    work,
    tasks.map(({ id }) => id),
  );
  return tasks.length;
}

export const PURGE_SQL = `
  select t.id, t.ended_at as "endedAt" from tasks t
  where t.queue = $1 and t.state = $2 and t.ended_at is not null and t.ended_at < $3
  order by t.ended_at limit $4`;

async function purgeTasks(
  work: Work,
  { queueId, states, endedBefore, limit }: PurgeStep,
): Promise<number> {
  const place = await work.db.get<{ row: number }>('select row from queues where id = $1', queueId);
  if (!place) return 0;
  await lockDefinitions(work, [place.row]);
  await readQueues(work, [place.row]);
  if (work.queues.get(place.row)?.fate === HIDDEN) return 0;
  const found: { id: string; endedAt: number }[] = [];
  for (const code of [...new Set(states)].map(toStateCode).filter(isFinalCode)) {
    const values = [place.row, code, endedBefore.getTime(), limit];
    found.push(...(await work.db.all<{ id: string; endedAt: number }>(PURGE_SQL, ...values)));
  }
  const oldest = found
    .sort((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  const tasks = await lockTasks(
    work,
    oldest.map(({ id }) => id),
  );
  return deleteTasks(
    work,
    [...tasks.values()].filter(({ state }) => isFinalCode(state)),
  );
}

const POSITION_TASK_SQL = `select ${TASK_COLUMNS} from tasks t where t.id = $1::bytea`;
export const HIGHER_SQL = `
  select count(*) as count from (
    select 1 from tasks where queue = $1 and state = 0 and priority > $2 limit $3) ahead`;
export const BEFORE_SQL = `
  select count(*) as count from (
    select 1 from tasks
    where queue = $1 and state = 0 and priority = $2 and (rank, id) < ($3::bytea, $4::bytea)
    limit $5) ahead`;

async function countAhead({ db }: Work, task: TaskRow, limit: number): Promise<number> {
  const { queue, priority, rank, id } = task;
  const higher = await db.get<{ count: number }>(HIGHER_SQL, queue, priority, limit);
  const ahead = higher?.count ?? 0;
  const place = [queue, priority, `\\x${rank}`, `\\x${id}`];
  const before = await db.get<{ count: number }>(BEFORE_SQL, ...place, limit - ahead);
  return ahead + (before?.count ?? 0);
}
