import {
  type ArchivedTask,
  type Attempt,
  isFinal,
  isLive,
  type PutAnswer,
  type TaskPut,
  toKeyBytes,
} from '../../core/store/index.ts';
import { archiveId, isLarge } from './attempt-archive.ts';
import { fromDocumentId, toDocumentId } from './ids.ts';
import { queueLock } from './locks.ts';
import { isDuplicateKey, unavailable } from './mongo-error.ts';
import { copyJson, toHex } from './new-record.ts';
import { findQueues } from './queue-lookup.ts';
import type { QueueRecord } from './queue-record.ts';
import { addStarts } from './rate-starts.ts';
import type { Session } from './session.ts';
import type { Space } from './spaces.ts';
import type { ArchivedDocument, TaskDocument } from './task-document.ts';
import { toEndedDocument, toTaskDocument } from './task-fields.ts';
import type { EndedRecord, TaskRecord } from './task-record.ts';
import { enqueue, keysOf, type Work } from './transitions.ts';

const MOST_TRIES = 10;

export async function putTasks(
  session: Session,
  { namespace, queueId, tasks }: TaskPut,
  work: Work,
): Promise<readonly PutAnswer[] | 'missing-queue'> {
  const space = session.spaces.get(namespace);
  return session.locks.hold([queueLock({ id: queueId })], async ({ check }) => {
    const queue = (await findQueues(space, [queueId])).get(queueId);
    if (!queue || queue.gone === 'delete') return 'missing-queue';
    const write = session.newToken();
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { answers, missing } = await judge(session, { space, queue, tasks, write });
      check();
      if (await insertAll({ space, queue, tasks: missing, write }, work)) {
        await addStarts(space, work);
        return answers;
      }
    }
    throw unavailable('tasks are added faster than they can be put', 'Try again.');
  });
}

interface Putting {
  readonly space: Space;
  readonly queue: QueueRecord;
  readonly tasks: readonly ArchivedTask[];
  readonly write: string;
}

interface Judgement {
  readonly answers: PutAnswer[];
  /** Those to be put that are not there yet. */
  readonly missing: ArchivedTask[];
}

/** The same id or key twice: the later one meets the earlier. */
async function judge({ spaces }: Session, putting: Putting): Promise<Judgement> {
  const { space, queue, tasks, write } = putting;
  const there = new Set<string>();
  const mine = new Set<string>();
  const _id = { $in: tasks.map(({ task }) => toDocumentId(task.id)) };
  const projection = { _id: 1, 'batchyard.write': 1, 'batchyard.key': 1 };
  for (const one of await spaces.all()) {
    for (const document of await one.tasks.find({ _id }, { projection }).toArray()) {
      const isMine = document.batchyard?.write === write;
      (isMine ? mine : there).add(fromDocumentId(document._id));
    }
  }
  const keys = tasks.map(keyOf).filter((key) => key !== null);
  const taken = new Set<string>();
  if (keys.length > 0) {
    const filter = { queue: queue.documentId, 'batchyard.key': { $in: keys } };
    const met = await space.tasks.find(filter as object, { projection }).toArray();
    for (const { batchyard } of met) if (batchyard?.key !== undefined) taken.add(batchyard.key);
  }
  const missing: ArchivedTask[] = [];
  const answers = tasks.map((one): PutAnswer => {
    const key = keyOf(one);
    const { id } = one.task;
    if (there.has(id)) return 'there';
    there.add(id);
    if (mine.has(id)) return 'put';
    if (key !== null && taken.has(key)) {
      there.delete(id);
      return 'key-taken';
    }
    if (key !== null) taken.add(key);
    missing.push(one);
    return 'put';
  });
  return { answers, missing };
}

const keyOf = ({ task }: ArchivedTask): string | null =>
  task.key === null ? null : toHex(toKeyBytes(task.key));

/** False: somebody else added one of them meanwhile; those before it are there. */
async function insertAll({ space, queue, tasks, write }: Putting, work: Work): Promise<boolean> {
  if (tasks.length === 0) return true;
  const records = tasks.map((one) => toRecord(queue, one));
  const starts = tasks.flatMap((one, at) => startsOf(records[at], one.attempts, work.now));
  for (const record of records) {
    if (record.state !== 'queued') continue;
    if (record.external) enqueue(work, record);
    else work.changes.push({ kind: 'ready', namespace: queue.namespace, queueId: queue.id });
  }
  work.starts.push(...starts);
  await archiveLarge(space, records);
  const documents = records.map((record) => toDocument(record, write));
  return space.counts.during(async () => {
    try {
      await space.tasks.insertMany(documents, { ordered: true });
      const moves = records.map(({ state: to }) => ({ queueId: queue.id, from: null, to }));
      return { answer: true, moves };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return { answer: false, moves: null };
    }
  });
}

/** Before their tasks, so that none is there without its attempts. The last one stays in the task. */
async function archiveLarge({ archive }: Space, records: readonly TaskRecord[]): Promise<void> {
  const moved: ArchivedDocument[] = [];
  for (const record of records) {
    const { id, ended } = record;
    if (ended.length < 2 || !isLarge(ended.map(toEndedDocument))) continue;
    for (const one of ended.splice(0, ended.length - 1)) {
      const _id = archiveId(id, one.fence);
      moved.push({ _id, task: toDocumentId(id), ...toEndedDocument(one) });
      record.archived += 1;
    }
  }
  if (moved.length === 0) return;
  try {
    await archive.insertMany(moved, { ordered: false });
  } catch (error) {
    // Put before, by somebody whose task then was not.
    if (!isDuplicateKey(error)) throw error;
  }
}

function toDocument(record: TaskRecord, write: string): TaskDocument {
  const document = toTaskDocument(record, write);
  if (record.ended.length === 0) return document;
  const ended = record.ended.map(toEndedDocument);
  const batchyard = { ...document.batchyard, ended };
  return { ...document, ...(isFinal(record.state) && { complete: true }), batchyard };
}

function startsOf(record: TaskRecord | undefined, attempts: readonly Attempt[], now: number) {
  if (!record) return [];
  const { id: queueId, settings } = record.queue;
  const keys = keysOf(record);
  return settings.limits.flatMap(({ name, perMs }, slot) =>
    attempts.flatMap(({ claimedAt }) => {
      const at = claimedAt.getTime();
      if (perMs === null || at + perMs <= now) return [];
      return [{ queueId, name, key: keys[slot] ?? '', at, perMs }];
    }),
  );
}

function toRecord(queue: QueueRecord, archived: ArchivedTask): TaskRecord {
  const { task, rank, uniqueKey, attempts } = archived;
  if (isLive(task.state)) throw new Error(`Task ${task.id} is ${task.state}: it cannot be put.`);
  const { id, state, hold, error, code, priority, labels, external, fence, lastOutcome } = task;
  const { claimCount, tryCount, lossCount, roundCount } = task;
  return {
    ...{ id, queue, state, hold, error, code, priority, labels, external, fence, lastOutcome },
    ...{ claimCount, tryCount, lossCount, roundCount },
    document: null,
    key: keyOf(archived),
    node: isFinal(state) ? (attempts.at(-1)?.node ?? null) : null,
    params: copyJson(task.params),
    result: JSON.stringify(task.result) ?? 'null',
    notBefore: task.notBefore?.getTime() ?? null,
    rank: toHex(rank),
    unique: uniqueKey === null ? null : { key: uniqueKey, scope: 'forever' },
    live: null,
    ended: attempts.map(toEnded),
    archived: 0,
    cancelRequestedAt: task.cancelRequestedAt?.getTime() ?? null,
    createdAt: task.createdAt.getTime(),
    updatedAt: task.updatedAt.getTime(),
    endedAt: task.endedAt?.getTime() ?? null,
    renewedAt: null,
    replacedBy: null,
    changedBy: null,
    wrote: false,
    pending: [],
    pendingAt: null,
    output: null,
  };
}

function toEnded(attempt: Attempt): EndedRecord {
  const { fence, node, endedAt, outcome, error, code, late } = attempt;
  if (endedAt === null || outcome === null) {
    throw new Error(`Attempt ${fence} of task ${attempt.taskId} has not ended.`);
  }
  return {
    ...{ fence, node, outcome, error, code },
    claimedAt: attempt.claimedAt.getTime(),
    startedAt: attempt.startedAt?.getTime() ?? null,
    expiresAt: attempt.expiresAt?.getTime() ?? null,
    endedAt: endedAt.getTime(),
    data: JSON.stringify(attempt.data) ?? 'null',
    late: late && { ...late, data: JSON.stringify(late.data) ?? 'null', at: late.at.getTime() },
  };
}
