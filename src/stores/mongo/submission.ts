/** How new tasks come in. */
import type {
  NewTask,
  OnConflict,
  Submission,
  SubmitAnswer,
  Submitted,
} from '../../core/store/index.ts';
import { underIntent } from './intent.ts';
import { type HeldLocks, queueLock } from './locks.ts';
import { unavailable } from './mongo-error.ts';
import { createTask, replaceTask, toHex } from './new-record.ts';
import type { QueueRecord } from './queue-record.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import { type Meeting, meetsOthers, readMeeting } from './task-conflict.ts';
import type { TaskRecord } from './task-record.ts';
import { insertTasks, saveTasks } from './task-saving.ts';
import { createWork, isWaiting, type Work } from './transitions.ts';

const MOST_TRIES = 50;

export interface Arrival {
  readonly space: Space;
  readonly queue: QueueRecord;
  readonly tasks: readonly NewTask[];
  readonly onConflict: OnConflict;
  /** It is written somewhere already, so no intent of its own is needed. */
  readonly isNoted?: true;
}

export async function submit(
  session: Session,
  { queueId, tasks, onConflict }: Submission,
  work: Work,
): Promise<SubmitAnswer> {
  const found = await session.directory.find(queueId);
  if (!found || found.queue.gone !== null) return { status: 'missing-queue' };
  const own = await keepIds(tasks, work);
  return addTasks(session, { ...found, tasks: own, onConflict }, work);
}

/** A call that is made again has new ids; those of the first time show what it did. */
async function keepIds(tasks: readonly NewTask[], { run }: Work): Promise<readonly NewTask[]> {
  if (run === null) return tasks;
  const kept = await run.keep(tasks.map(({ id, rank }) => ({ id, rank: toHex(rank) })));
  return tasks.map((task, at) => {
    const first = kept[at];
    return first ? { ...task, id: first.id, rank: Buffer.from(first.rank, 'hex') } : task;
  });
}

/** Tasks that may meet others are added under the queue's lock, so that two calls never pass each other. */
export async function addTasks(
  session: Session,
  arrival: Arrival,
  work: Work,
): Promise<SubmitAnswer> {
  const { space, queue, tasks } = arrival;
  if (tasks.some(meetsOthers)) {
    return session.locks.hold([queueLock(queue)], (held) =>
      addMeeting(session, arrival, work, held),
    );
  }
  const records = tasks.map((task) => createTask(work, queue, task));
  await underIntent(space, intentOf(session, arrival, work), async () => {
    await insertTasks(space, records, session.newToken());
    await addStarts(space, work);
  });
  const submitted = tasks.map(({ id }) => ({ id, outcome: 'created' as const }));
  return { status: 'submitted', tasks: submitted };
}

function intentOf(session: Session, { queue, tasks, onConflict, isNoted }: Arrival, { now }: Work) {
  // Once it is written, nothing is refused any more.
  const rule = onConflict === 'refuse' ? ('skip' as const) : onConflict;
  const noted = isNoted ? [] : tasks;
  const pending = noted.map((task) => ({ queueId: queue.id, task, onConflict: rule }));
  return { name: session.newToken(), now, tasks: pending };
}

async function addMeeting(
  session: Session,
  arrival: Arrival,
  work: Work,
  { check }: HeldLocks,
): Promise<SubmitAnswer> {
  const first = await planArrival(arrival, work.now);
  if ('status' in first) return first;
  check();
  const { space } = arrival;
  return underIntent(space, intentOf(session, arrival, work), async () => {
    let plan: Plan = first;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const write = session.newToken();
      const failed = await saveTasks(space, plan.changed, write);
      if (failed.length === 0) {
        await insertTasks(space, plan.created, write);
        work.changes.push(...plan.work.changes);
        work.starts.push(...plan.work.starts);
        await addStarts(space, work);
        return { status: 'submitted', tasks: plan.submitted };
      }
      // Somebody changed one that was met: look again, and leave what is replaced already.
      const again = await planArrival(arrival, work.now);
      if ('status' in again) return again;
      plan = again;
    }
    throw unavailable('tasks change faster than they can be replaced', 'Try again.');
  });
}

interface Plan {
  readonly work: Work;
  readonly submitted: readonly Submitted[];
  readonly created: readonly TaskRecord[];
  readonly changed: readonly TaskRecord[];
}

async function planArrival(
  { space, queue, tasks, onConflict }: Arrival,
  now: number,
): Promise<Plan | SubmitAnswer> {
  const work = createWork(now);
  const meeting = await readMeeting(space, queue, tasks);
  const submitted: Submitted[] = [];
  for (const [index, task] of tasks.entries()) {
    const met = meeting.find(task);
    if (met && onConflict === 'refuse' && met.id !== task.id) {
      return { status: 'refused', index, id: met.id };
    }
    submitted.push(addOne(work, { queue, task, met, meeting, onConflict }));
  }
  const all = [...meeting.all.values()];
  return {
    work,
    submitted,
    created: all.filter(({ document }) => document === null),
    changed: all.filter(({ document }) => document !== null),
  };
}

interface OneArrival {
  readonly queue: QueueRecord;
  readonly task: NewTask;
  readonly met: TaskRecord | null;
  readonly meeting: Meeting;
  readonly onConflict: OnConflict;
}

function addOne(work: Work, { queue, task, met, meeting, onConflict }: OneArrival): Submitted {
  const { id } = task;
  if (!met) {
    meeting.add(createTask(work, queue, task));
    return { id, outcome: 'created' };
  }
  if (met.id === id) return { id, outcome: 'created' };
  if (met.replacedBy === id) return { id: met.id, outcome: 'replaced' };
  const byUnique = task.key === null || met.key !== toHex(task.key);
  if (onConflict !== 'replace' || (byUnique && !isWaiting(met.state))) {
    return { id: met.id, outcome: 'skipped' };
  }
  replaceTask(work, met, task);
  return { id: met.id, outcome: 'replaced' };
}
