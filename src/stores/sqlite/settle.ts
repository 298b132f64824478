import type { SettleAnswer, Settlement } from '../../core/store/index.ts';
import { fromStateCode, isFinalCode, toOutcomeCode } from './codes.ts';
import { findLiveTasks, fromFresh } from './live-tasks.ts';
import { type TaskCore, toQuoted, toText } from './rows.ts';
import type { Session } from './session.ts';
import { settleLate } from './settle-late.ts';
import type { SqlValue } from './sql-value.ts';
import { insertTasks } from './task-insert.ts';
import { addAttempts, findTask, saveEndedTasks, saveTask } from './task-rows.ts';
import { addOrMeet } from './task-submit.ts';
import { endAttempt, follow } from './transitions.ts';

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
  const live = readLive(session, namespace, items);
  const answers: SettleAnswer[] = new Array(items.length);
  const attempts: SqlValue[] = [];
  const moved = new Set<TaskCore>();
  const later: number[] = [];
  for (const [index, item] of items.entries()) {
    const { taskId, fence } = item;
    const task = live.get(taskId);
    // What a call says of one task twice is looked at after the first was written.
    if (!task || moved.has(task) || (fence !== null && fence !== task.fence)) {
      later.push(index);
      continue;
    }
    moved.add(task);
    const held = task.fence;
    for (const value of apply(session, task, item, now)) attempts.push(value);
    const state = fromStateCode(task.state);
    answers[index] = { taskId, fence: held, status: 'applied', state };
  }
  addAttempts(session.db, attempts, now);
  save(session, moved, now);
  for (const [index, item] of items.entries()) {
    if (answers[index]?.status === 'applied') emit(session, namespace, item, now);
  }
  if (later.length === 0) return answers;
  return settleLater(session, namespace, { items, answers, later, now });
}

interface Unsettled {
  readonly items: readonly Settlement[];
  readonly answers: SettleAnswer[];
  /** Indexes of the items without an answer. */
  readonly later: readonly number[];
  readonly now: number;
}

/** What is said of attempts that are not live, or were not when the call began. */
function settleLater(
  session: Session,
  namespace: string,
  { items, answers, later, now }: Unsettled,
): SettleAnswer[] {
  const states = new Map<string, SettleAnswer['state']>();
  for (const index of later) {
    const item = items[index] as Settlement;
    const answer = settleOne(session, namespace, item, now);
    answers[index] = answer;
    states.set(item.taskId, answer.state);
  }
  return answers.map((answer) => {
    const state = states.get(answer.taskId);
    return state === undefined ? answer : { ...answer, state };
  });
}

function settleOne(
  session: Session,
  namespace: string,
  item: Settlement,
  now: number,
): SettleAnswer {
  const live = findLiveTasks(session, namespace, [item]).get(item.taskId);
  const isHeld = live && (item.fence === null || item.fence === live.fence);
  const [held] = isHeld ? settleTogether(session, namespace, [item], now) : [];
  if (held) return held;
  const late = settleLate(session, namespace, item, now);
  if (late.status === 'applied') emit(session, namespace, item, now);
  return late;
}

/** These change a counter besides that of tries. */
const UNUSUAL = new Set<number | null>([toOutcomeCode('orphaned'), toOutcomeCode('continued')]);

function endsUsually({ next, outcome }: Settlement): boolean {
  const isEnd = next.state !== 'queued' && next.state !== 'held';
  return isEnd && !UNUSUAL.has(toOutcomeCode(outcome));
}

/** The live tasks by id: as their claim has left them, where that is enough, else as they are stored. */
function readLive(
  session: Session,
  namespace: string,
  items: readonly Settlement[],
): Map<string, TaskCore> {
  const { fresh, queues } = session;
  const live = new Map<string, TaskCore>();
  const unknown: Settlement[] = [];
  for (const item of items) if (!endsUsually(item)) fresh.take(item.taskId);
  for (const item of items) {
    const claim = fresh.take(item.taskId);
    if (claim && queues.getByRow(claim.queue).queue.namespace === namespace) {
      live.set(item.taskId, fromFresh(item.taskId, claim));
    } else unknown.push(item);
  }
  for (const [id, task] of findLiveTasks(session, namespace, unknown)) {
    if (!live.has(id)) live.set(id, task);
  }
  return live;
}

/** The usual end takes the shortest write. */
function save(session: Session, tasks: ReadonlySet<TaskCore>, now: number): void {
  const usual: TaskCore[] = [];
  for (const task of tasks) {
    if (isFinalCode(task.state) && !UNUSUAL.has(task.lastOutcome)) usual.push(task);
    else saveTask(session, task);
  }
  saveEndedTasks(session.db, usual, now);
}

function apply(session: Session, task: TaskCore, item: Settlement, now: number): SqlValue[] {
  const { outcome, data, error, code, again, next } = item;
  const ended = endAttempt(session, task, {
    outcome: toOutcomeCode(outcome),
    data: data === undefined ? task.result : toText(data),
    error: error === null ? null : toQuoted(error),
    code,
  });
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) placeAnew(session, task, again);
  follow(session, task, next, now);
  return ended;
}

function placeAnew(
  { db }: Session,
  { row }: TaskCore,
  { rank, params }: NonNullable<Settlement['again']>,
): void {
  db.run('update tasks set rank = ? where row = ?', rank, row);
  if (params === undefined) return;
  db.run('update tasks set params = ? where row = ?', JSON.stringify(params) ?? 'null', row);
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
