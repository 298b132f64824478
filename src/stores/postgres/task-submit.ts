import type {
  NewTask,
  OnConflict,
  Submission,
  SubmitAnswer,
  Submitted,
} from '../../core/store/index.ts';
import { isWaitingCode } from './codes.ts';
import { HERE, type QueueEntry } from './queue-entry.ts';
import { lockNewcomers, type Meetings, mayMeet, readMeetings } from './task-conflict.ts';
import { insertTask } from './task-insert.ts';
import { replaceTask } from './task-replace.ts';
import { lockQueues } from './task-rows.ts';
import type { Work } from './work.ts';

const QUEUE_ROW_SQL = 'select row from queues where id = $1';

export async function submitTasks(
  work: Work,
  { queueId, tasks, onConflict }: Submission,
): Promise<SubmitAnswer> {
  const meeting = tasks.filter(mayMeet);
  const place = await work.db.get<{ row: number }>(QUEUE_ROW_SQL, queueId);
  if (!place) return { status: 'missing-queue' };
  const newcomers = meeting.map((task) => ({ queue: place.row, task }));
  await lockNewcomers(work, newcomers);
  const entry = (await lockQueues(work, [queueId])).get(queueId);
  if (entry?.fate !== HERE) return { status: 'missing-queue' };
  const meetings = await readMeetings(work, newcomers);

  const submitted: Submitted[] = [];
  for (const [index, task] of tasks.entries()) {
    const answer = addOrMeet(work, entry, { task, onConflict, meetings });
    if (answer.outcome === 'skipped' && onConflict === 'refuse') {
      discard(work);
      return { status: 'refused', index, id: answer.id };
    }
    submitted.push(answer);
  }
  return { status: 'submitted', tasks: submitted };
}

/** Nothing of it was written yet. */
function discard({ added, changed, ended, starts, counts }: Work): void {
  for (const one of [added, changed, counts]) one.clear();
  ended.length = 0;
  starts.length = 0;
}

export interface Adding {
  readonly task: NewTask;
  readonly onConflict: OnConflict;
  readonly meetings: Meetings;
}

/** Adds one task, or does to the one it meets what the caller wished. */
export function addOrMeet(
  work: Work,
  entry: QueueEntry,
  { task, onConflict, meetings }: Adding,
): Submitted {
  const meeting = meetings.find({ queue: entry.row, task });
  if (!meeting) {
    meetings.note(insertTask(work, entry, task));
    return { id: task.id, outcome: 'created' };
  }
  const { met, isSameKey } = meeting;
  if (onConflict !== 'replace' || (!isSameKey && !isWaitingCode(met.state))) {
    return { id: met.id, outcome: 'skipped' };
  }
  replaceTask(work, entry, { met, task });
  meetings.note(met);
  return { id: met.id, outcome: 'replaced' };
}
