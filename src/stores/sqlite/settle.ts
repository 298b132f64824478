import type { SettleAnswer, Settlement, TaskState } from '../../core/store/index.ts';
import { fromStateCode, isFinalCode, isLiveCode, toOutcomeCode } from './codes.ts';
import type { Database, SqlValue } from './database.ts';
import { manyRows, readRows } from './many-rows.ts';
import { HIDDEN } from './queue-cache.ts';
import { type TaskCore, toIdBytes, toQuoted, toText } from './rows.ts';
import type { Session } from './session.ts';
import { settleLate } from './settle-late.ts';
import { insertTasks } from './task-insert.ts';
import { addAttempts, findTask, saveEndedTasks, saveTask } from './task-rows.ts';
import { addOrMeet } from './task-submit.ts';
import { endAttempt, follow } from './transitions.ts';

// Probes by id, whatever the tables' sizes: cross join keeps the values outside.
export const FIND_LIVE = manyRows(
  1,
  (rows) => `
  select t.row, lower(hex(t.id)), t.queue, t.state, t.fence, t.claim_count, t.try_count,
    t.loss_count, t.round_count, t.node, t.claimed_at, t.started_at, t.expires_at, t.not_before,
    t.external, t.cancel_requested_at, t.limit_keys, t.result
  from (values ${rows}) e cross join tasks t on t.id = e.column1 where t.state + 0 in (3, 4)`,
);

type LiveTuple = readonly [
  row: number,
  id: string,
  queue: number,
  state: number,
  fence: number,
  claimCount: number,
  tryCount: number,
  lossCount: number,
  roundCount: number,
  node: number,
  claimedAt: number,
  startedAt: number | null,
  expiresAt: number | null,
  notBefore: number | null,
  external: number,
  cancelRequestedAt: number | null,
  limitKeys: string | null,
  result: string | null,
];

type Settled = Omit<SettleAnswer, 'state'>;

/** Ends attempts; all rows are read at once and written at once. */
export function settle(
  session: Session,
  namespace: string,
  items: readonly Settlement[],
  now: number,
): SettleAnswer[] {
  // What an emission meets could be a task of a later item, which must not have been read before.
  if (items.some(mayMeet)) {
    const settled = items.map((item) => settleTogether(session, namespace, [item], now));
    return settled
      .flat()
      .map((answer) => ({ ...answer, state: stateNow(session, namespace, answer) }));
  }
  return settleTogether(session, namespace, items, now);
}

function mayMeet({ emit }: Settlement): boolean {
  return emit.some(({ task: { key, unique } }) => key !== null || unique !== null);
}

function stateNow(session: Session, namespace: string, { taskId }: Settled) {
  const task = findTask(session, namespace, taskId);
  return task && fromStateCode(task.state);
}

function settleTogether(
  session: Session,
  namespace: string,
  items: readonly Settlement[],
  now: number,
): SettleAnswer[] {
  const { db } = session;
  const live = findLive(session, namespace, items);
  const settled: Settled[] = new Array(items.length);
  const attempts: SqlValue[] = [];
  const moved = new Set<TaskCore>();
  const later: number[] = [];
  for (const [index, item] of items.entries()) {
    const task = live.get(item.taskId);
    // Within one call a task may have ended before: then it is looked at after the writes.
    if (!task || !isLiveCode(task.state) || (item.fence !== null && item.fence !== task.fence)) {
      later.push(index);
      continue;
    }
    settled[index] = { taskId: item.taskId, fence: task.fence, status: 'applied' };
    for (const value of apply(session, task, item, now)) attempts.push(value);
    moved.add(task);
  }
  addAttempts(db, attempts);
  save(db, moved);

  const states = new Map<string, TaskState | null>();
  for (const { id, state } of moved) states.set(id, fromStateCode(state));
  for (const index of later) {
    const { state, ...answer } = settleLate(session, namespace, items[index] as Settlement, now);
    settled[index] = answer;
    states.set(answer.taskId, state);
  }
  for (const [index, item] of items.entries()) {
    if (settled[index]?.status === 'applied') emit(session, namespace, item, now);
  }
  return settled.map((answer) => ({ ...answer, state: states.get(answer.taskId) ?? null }));
}

function save(db: Database, tasks: ReadonlySet<TaskCore>): void {
  const ended: TaskCore[] = [];
  for (const task of tasks) {
    if (isFinalCode(task.state)) ended.push(task);
    else saveTask(db, task);
  }
  saveEndedTasks(db, ended);
}

function findLive(
  { db, queues }: Session,
  namespace: string,
  items: readonly Settlement[],
): Map<string, TaskCore> {
  const found = new Map<string, TaskCore>();
  const ids = items.map(({ taskId }) => toIdBytes(taskId));
  for (const tuple of readRows<LiveTuple>(db, FIND_LIVE, ids)) {
    const { fate, queue } = queues.getByRow(tuple[2]);
    if (fate !== HIDDEN && queue.namespace === namespace) found.set(tuple[1], toCore(tuple));
  }
  return found;
}

/** What is not read is what the end of an attempt sets anyway. */
function toCore(tuple: LiveTuple): TaskCore {
  return {
    row: tuple[0],
    id: tuple[1],
    queue: tuple[2],
    state: tuple[3],
    hold: null,
    fence: tuple[4],
    claimCount: tuple[5],
    tryCount: tuple[6],
    lossCount: tuple[7],
    roundCount: tuple[8],
    node: tuple[9],
    claim: null,
    claimedAt: tuple[10],
    startedAt: tuple[11],
    expiresAt: tuple[12],
    notBefore: tuple[13],
    external: tuple[14],
    code: null,
    lastOutcome: null,
    cancelRequestedAt: tuple[15],
    updatedAt: 0,
    endedAt: null,
    limitKeys: tuple[16],
    error: null,
    result: tuple[17],
  };
}

function apply(session: Session, task: TaskCore, item: Settlement, now: number): SqlValue[] {
  const { outcome, data, error, code, again, next } = item;
  const ended = endAttempt(
    session,
    task,
    {
      outcome: toOutcomeCode(outcome),
      data: data === undefined ? task.result : toText(data),
      error: error === null ? null : toQuoted(error),
      code,
    },
    now,
  );
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) {
    session.db.run('update tasks set rank = ? where row = ?', again.rank, task.row);
    if (again.params !== undefined) {
      const params = JSON.stringify(again.params) ?? 'null';
      session.db.run('update tasks set params = ? where row = ?', params, task.row);
    }
  }
  follow(session, task, next, now);
  return ended;
}

/** Emissions into a queue that is gone, or of another namespace, are dropped. */
function emit(
  session: Session,
  namespace: string,
  { emit: emissions }: Settlement,
  now: number,
): void {
  for (const { queueId, task, onConflict } of emissions) {
    const entry = session.queues.findHere(queueId);
    if (entry?.queue.namespace !== namespace) continue;
    if (task.key === null && task.unique === null) insertTasks(session, entry, [task], now);
    else addOrMeet(session, entry, { task, onConflict }, now);
  }
}
