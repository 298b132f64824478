import { isFinal, type SettleAnswer, type Settlement } from '../../core/store/index.ts';
import { type ArchivedAttempts, readArchived } from './attempt-archive.ts';
import { rollForward } from './emission.ts';
import { writeEmissions } from './large-emission.ts';
import { copyJson, toHex } from './new-record.ts';
import { type FoldedOutput, foldOutputs } from './output-folding.ts';
import { findTasks } from './queue-lookup.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import { settleMany } from './settle-many.ts';
import type { Space } from './spaces.ts';
import type { EndedRecord, TaskRecord } from './task-record.ts';
import { changeTasks } from './task-saving.ts';
import { endAttempt, finish, follow, type Work } from './transitions.ts';

export interface Settling {
  readonly namespace: string;
  readonly items: readonly Settlement[];
}

/** Item by item where one may change what a later one meets, together otherwise. */
export async function settle(
  session: Session,
  { namespace, items }: Settling,
  work: Work,
): Promise<SettleAnswer[]> {
  const space = session.spaces.get(namespace);
  const answers: SettleAnswer[] = [];
  for (const run of runsOf(items)) {
    answers.push(...(await settleRun(session, space, run, work)));
    const last = run.at(-1);
    if (last && last.emit.length > 0) {
      await rollForward(session, { space, taskId: last.taskId }, work);
    }
  }
  await addStarts(space, work);
  if (!items.some(({ emit }) => emit.length > 0)) return answers;
  const tasks = await findTasks(
    space,
    answers.map(({ taskId }) => taskId),
  );
  return answers.map((answer) => ({ ...answer, state: tasks.get(answer.taskId)?.state ?? null }));
}

/** A run ends with the first item that emits tasks. */
function runsOf(items: readonly Settlement[]): Settlement[][] {
  const runs: Settlement[][] = [];
  let run: Settlement[] = [];
  for (const item of items) {
    run.push(item);
    if (item.emit.length === 0) continue;
    runs.push(run);
    run = [];
  }
  return run.length > 0 ? [...runs, run] : runs;
}

async function settleRun(
  session: Session,
  space: Space,
  items: readonly Settlement[],
  work: Work,
): Promise<SettleAnswer[]> {
  const many = await settleMany(session, { space, items }, work);
  if (many.size === 0) return settleEach(session, space, items, work);
  const rest = items.filter(({ taskId }) => !many.has(taskId));
  const others = await settleEach(session, space, rest, work);
  return items.map(({ taskId }) => many.get(taskId) ?? (others.shift() as SettleAnswer));
}

async function settleEach(
  session: Session,
  space: Space,
  items: readonly Settlement[],
  work: Work,
): Promise<SettleAnswer[]> {
  let outputs: ReadonlyMap<string, FoldedOutput> = new Map();
  let archived: ArchivedAttempts | null = null as ArchivedAttempts | null;
  const pending = new Map<Settlement, readonly string[]>();
  const states = new Map<string, SettleAnswer['state']>();
  const answers = await changeTasks(
    space,
    items.map(({ taskId }) => taskId),
    {
      write: session.newToken(),
      async prepare(records) {
        outputs = await foldOutputs(space, [...records.values()]);
        archived = await readArchived(space, refsOf(items, records));
        for (const item of items) {
          if (item.emit.length === 0 || pending.has(item)) continue;
          pending.set(item, await writeEmissions(session, space, item.emit));
        }
      },
      act(task, at) {
        const item = items[at] as Settlement;
        const fence = item.fence ?? (task?.live ? task.fence : 0);
        const old = archived?.find(item.taskId, fence) ?? null;
        const status = task
          ? settleOne(work, task, { item, fence, old, pending: pending.get(item) ?? [] })
          : 'lost';
        if (task && isFinal(task.state)) task.output = outputs.get(task.id) ?? task.output;
        states.set(item.taskId, task?.state ?? null);
        return { taskId: item.taskId, fence, status };
      },
    },
  );
  await archived?.save();
  return answers.map((answer) => ({ ...answer, state: states.get(answer.taskId) ?? null }));
}

function refsOf(items: readonly Settlement[], records: ReadonlyMap<string, TaskRecord>) {
  return items.flatMap(({ taskId, fence }) => {
    const task = records.get(taskId);
    return task && fence !== null ? [{ task, fence }] : [];
  });
}

interface Word {
  readonly item: Settlement;
  readonly fence: number;
  /** Its attempt, if the task holds that no more. */
  readonly old: EndedRecord | null;
  /** Its emissions, as they are written. */
  readonly pending: readonly string[];
}

function settleOne(
  work: Work,
  task: TaskRecord,
  { item, fence, old, pending }: Word,
): SettleAnswer['status'] {
  if (task.live && task.fence === fence) {
    apply(work, task, item);
    emit(work, task, pending);
    return 'applied';
  }
  const ended = task.ended.find((attempt) => attempt.fence === fence) ?? old;
  if (!ended) return 'lost';
  if (ended.outcome === item.outcome || ended.late?.outcome === item.outcome) return 'repeated';
  if (ended.late) return 'lost';
  const { outcome, data, error, code } = item;
  ended.late = { outcome, data: JSON.stringify(data ?? null), at: work.now };
  const isOpenToSuccess = task.state === 'failed' || task.state === 'orphaned';
  if (outcome !== 'succeeded' || !isOpenToSuccess || task.ended.at(-1) !== ended) return 'late';
  if (data !== undefined) task.result = JSON.stringify(data);
  Object.assign(task, { error, code, lastOutcome: 'succeeded' });
  finish(work, task, 'succeeded');
  emit(work, task, pending);
  return 'applied';
}

function apply(work: Work, task: TaskRecord, item: Settlement): void {
  const { outcome, data, error, code, again } = item;
  const reported = data === undefined ? {} : { data: JSON.stringify(data) };
  endAttempt(work, task, { outcome, error, code, ...reported });
  if (item.counted) task.tryCount += 1;
  if (outcome === 'orphaned') task.lossCount += 1;
  if (outcome === 'continued') task.roundCount += 1;
  if (again) task.rank = toHex(again.rank);
  if (again?.params !== undefined) task.params = copyJson(again.params);
  follow(work, task, item.next);
}

function emit(work: Work, task: TaskRecord, pending: readonly string[]): void {
  if (pending.length === 0) return;
  task.pending = [...task.pending, ...pending];
  task.pendingAt = work.now;
}
