/** How new tasks come in, and what they do to those they meet. */
import {
  isFinal,
  type NewTask,
  type OnConflict,
  type Submission,
  type SubmitAnswer,
  type Submitted,
} from '../../../src/core/store/index.ts';
import {
  compare,
  findQueue,
  getTask,
  type ModelState,
  type QueueRecord,
  type TaskRecord,
  toHex,
  toText,
} from './model-state.ts';
import { hold, isWaiting, letWait, removeTask, waitAnew } from './model-transitions.ts';

export function submit(
  state: ModelState,
  { queueId, tasks, onConflict }: Submission,
  now: number,
): SubmitAnswer {
  const queue = findQueue(state, queueId);
  if (!queue) return { status: 'missing-queue' };
  const startsBefore = new Map(queue.starts);
  const submitted: Submitted[] = [];
  for (const [index, task] of tasks.entries()) {
    const met = findMet(queue, task);
    if (met && onConflict === 'refuse') {
      for (const { id } of submitted) removeTask(state, getTask(state, id));
      queue.starts = startsBefore;
      return { status: 'refused', index, id: met.id };
    }
    submitted.push(addTask(state, queue, { task, onConflict }, now));
  }
  return { status: 'submitted', tasks: submitted };
}

/** The task whose key stands already, else the first within the scope of `unique`. */
function findMet(queue: QueueRecord, { key, unique }: NewTask): TaskRecord | null {
  const sameKey = key && queue.byKey.get(toHex(key));
  if (sameKey) return sameKey;
  if (!unique) return null;
  const isInScope = ({ state }: TaskRecord): boolean => {
    if (unique.scope === 'waiting') return isWaiting(state);
    return unique.scope === 'forever' || !isFinal(state);
  };
  const met = [...queue.tasks].filter((task) => task.unique?.key === unique.key && isInScope(task));
  return met.sort((a, b) => compare(a.id, b.id))[0] ?? null;
}

export function addTask(
  state: ModelState,
  queue: QueueRecord,
  { task, onConflict }: { readonly task: NewTask; readonly onConflict: OnConflict },
  now: number,
): Submitted {
  const met = findMet(queue, task);
  if (!met) {
    createTask(state, queue, task, now);
    return { id: task.id, outcome: 'created' };
  }
  const byUnique = task.key === null || met.key !== toHex(task.key);
  if (onConflict !== 'replace' || (byUnique && !isWaiting(met.state))) {
    return { id: met.id, outcome: 'skipped' };
  }
  replaceTask(state, met, task, now);
  return { id: met.id, outcome: 'replaced' };
}

function createTask(state: ModelState, queue: QueueRecord, task: NewTask, now: number): TaskRecord {
  const record = createRecord(queue, task, now);
  state.tasks.set(record.id, record);
  queue.tasks.add(record);
  if (record.key !== null) queue.byKey.set(record.key, record);
  queue.counts[record.state] += 1;
  beginWaiting(state, record, task, now);
  return record;
}

function beginWaiting(state: ModelState, record: TaskRecord, task: NewTask, now: number): void {
  if (task.hold === null) letWait(state, record, now);
  else hold(record, task.hold, now);
}

function replaceTask(state: ModelState, met: TaskRecord, task: NewTask, now: number): void {
  const made = createRecord(met.queue, task, now);
  const { params, priority, notBefore, labels, external, rank, unique } = made;
  Object.assign(met, { params, result: 'null', priority, notBefore, labels, updatedAt: now });
  if (!isFinal(met.state)) {
    waitAnew(state, met, now);
    return;
  }
  Object.assign(met, { external, rank, unique, error: null, code: null, cancelRequestedAt: null });
  Object.assign(met, { claimCount: 0, tryCount: 0, lossCount: 0, roundCount: 0 });
  met.fence += 1;
  beginWaiting(state, met, task, now);
}

/** A task of a continuous queue: new, or the finished one of that key; null when that waits. */
export function renewContinuous(
  state: ModelState,
  queue: QueueRecord,
  task: NewTask,
  now: number,
): TaskRecord | null {
  const plain = { ...task, hold: null, notBefore: null, delayMs: null, external: false };
  const met = task.key && queue.byKey.get(toHex(task.key));
  if (!met) return createTask(state, queue, plain, now);
  if (!isFinal(met.state)) return null;
  replaceTask(state, met, plain, now);
  return met;
}

/** Not yet anywhere: a record that is nobody's task. */
function createRecord(queue: QueueRecord, task: NewTask, now: number): TaskRecord {
  return {
    id: task.id,
    queue,
    key: task.key && toHex(task.key),
    state: 'queued',
    hold: null,
    params: toText(task.params),
    result: 'null',
    error: null,
    code: null,
    priority: task.priority,
    notBefore: task.delayMs === null ? (task.notBefore?.getTime() ?? null) : now + task.delayMs,
    labels: toText(task.labels),
    external: task.external,
    rank: toHex(task.rank),
    unique: task.unique && { ...task.unique },
    live: null,
    ended: [],
    output: new Map(),
    fence: 0,
    claimCount: 0,
    tryCount: 0,
    lossCount: 0,
    roundCount: 0,
    lastOutcome: null,
    cancelRequestedAt: null,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
}
