import type { SettleAnswer, Settlement } from '../../core/store/index.ts';
import { fromStateCode, toOutcomeCode } from './codes.ts';
import { HERE } from './queue-entry.ts';
import type { TaskRow } from './rows.ts';
import { createLateWords, type LateWords } from './settle-late.ts';
import {
  lockNewcomers,
  type Meetings,
  mayMeet,
  type Newcomer,
  readMeetings,
} from './task-conflict.ts';
import { isIdHex, lockQueues, lockTasks } from './task-rows.ts';
import { addOrMeet } from './task-submit.ts';
import { endAttempt, follow } from './transitions.ts';
import { toParamsText, toQuoted, toRankHex, toText } from './values.ts';
import { entryOf, isHeldBy, type Work } from './work.ts';

/** Ends attempts, one after the other on the rows in memory. */
export async function settle(
  work: Work,
  namespace: string,
  items: readonly Settlement[],
): Promise<SettleAnswer[]> {
  const { meetings, tasks } = await lockAll(work, namespace, items);
  const late = await createLateWords(work, items, tasks);
  const answers = items.map((item) => {
    const task = tasks.get(item.taskId);
    const isHeld = task && isHeldBy(task, item.fence);
    const fence = (isHeld ? task.fence : item.fence) ?? 0;
    const status = task ? settleOne(work, item, task, late) : 'lost';
    if (status === 'applied') emit(work, namespace, item, meetings);
    return { taskId: item.taskId, fence, status };
  });
  await late.flush();
  return answers.map((answer) => {
    const task = tasks.get(answer.taskId);
    return { ...answer, state: task ? fromStateCode(task.state) : null };
  });
}

interface Locked {
  readonly meetings: Meetings;
  /** Of the namespace, by id. */
  readonly tasks: Map<string, TaskRow>;
}

const QUEUE_ROWS_SQL = 'select row, id from queues where id = any($1::text[])';

async function lockAll(
  work: Work,
  namespace: string,
  items: readonly Settlement[],
): Promise<Locked> {
  const emissions = items.flatMap(({ emit }) => emit);
  const queueIds = [...new Set(emissions.map(({ queueId }) => queueId))];
  const newcomers = await toNewcomers(work, queueIds, emissions);
  await lockNewcomers(work, newcomers);
  const ids = [...new Set(items.map(({ taskId }) => taskId))].filter(isIdHex);
  await lockQueues(work, queueIds, ids);
  const tasks = await lockTasks(work, ids);
  for (const [id, task] of tasks) {
    if (entryOf(work, task).queue.namespace !== namespace) tasks.delete(id);
  }
  return { tasks, meetings: await readMeetings(work, newcomers) };
}

async function toNewcomers(
  work: Work,
  queueIds: readonly string[],
  emissions: readonly Settlement['emit'][number][],
): Promise<Newcomer[]> {
  const meeting = emissions.filter(({ task }) => mayMeet(task));
  if (meeting.length === 0) return [];
  const found = await work.db.all<{ row: number; id: string }>(
    QUEUE_ROWS_SQL,
    `{${queueIds.join(',')}}`,
  );
  const rows = new Map(found.map(({ row, id }) => [id, row]));
  return meeting.flatMap(({ queueId, task }) => {
    const queue = rows.get(queueId);
    return queue === undefined ? [] : [{ queue, task }];
  });
}

function settleOne(
  work: Work,
  item: Settlement,
  task: TaskRow,
  late: LateWords,
): SettleAnswer['status'] {
  if (!isHeldBy(task, item.fence)) return late.say(task, item);
  const { outcome, data, error, code, again, next } = item;
  late.noteEnd(task, outcome);
  endAttempt(work, task, {
    outcome: toOutcomeCode(outcome),
    data: data === undefined ? task.result : toText(data),
    error: error === null ? null : toQuoted(error),
    code,
  });
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) {
    task.rank = toRankHex(again.rank);
    if (again.params !== undefined) task.params = toParamsText(again.params);
  }
  follow(work, task, next);
  return 'applied';
}

/** Emissions into a queue that is gone, or of another namespace, are dropped. */
function emit(
  work: Work,
  namespace: string,
  { emit: emissions }: Settlement,
  meetings: Meetings,
): void {
  const entries = new Map([...work.queues.values()].map((entry) => [entry.queue.id, entry]));
  for (const { queueId, task, onConflict } of emissions) {
    const entry = entries.get(queueId);
    if (entry?.fate !== HERE || entry.queue.namespace !== namespace) continue;
    addOrMeet(work, entry, { task, onConflict, meetings });
  }
}
