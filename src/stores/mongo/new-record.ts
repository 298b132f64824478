import { isFinal, type NewTask } from '../../core/store/index.ts';
import type { QueueRecord } from './queue-record.ts';
import type { TaskRecord } from './task-record.ts';
import { hold, letWait, type Work, waitAnew } from './transitions.ts';

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function copyJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A new task where it waits first. */
export function createTask(work: Work, queue: QueueRecord, task: NewTask): TaskRecord {
  const record = draftTask(work, queue, task);
  beginWaiting(work, record, task);
  return record;
}

function beginWaiting(work: Work, record: TaskRecord, task: NewTask): void {
  if (task.hold === null) letWait(work, record);
  else hold(work, record, task.hold);
}

/** What a submission with the key of a task that is there makes of it. */
export function replaceTask(work: Work, met: TaskRecord, task: NewTask): void {
  const made = draftTask(work, met.queue, task);
  const { params, priority, notBefore, labels, external, rank, unique } = made;
  Object.assign(met, { params, result: 'null', priority, notBefore, labels });
  Object.assign(met, { updatedAt: work.now, renewedAt: null, replacedBy: task.id });
  if (!isFinal(met.state)) {
    waitAnew(work, met);
    return;
  }
  Object.assign(met, { external, rank, unique, error: null, code: null, cancelRequestedAt: null });
  Object.assign(met, { claimCount: 0, tryCount: 0, lossCount: 0, roundCount: 0 });
  met.fence += 1;
  beginWaiting(work, met, task);
}

function draftTask({ now }: Work, queue: QueueRecord, task: NewTask): TaskRecord {
  return {
    id: task.id,
    queue,
    document: null,
    key: task.key && toHex(task.key),
    state: 'queued',
    hold: null,
    node: null,
    params: copyJson(task.params),
    result: 'null',
    error: null,
    code: null,
    priority: task.priority,
    notBefore: task.delayMs === null ? (task.notBefore?.getTime() ?? null) : now + task.delayMs,
    labels: task.labels,
    external: task.external,
    rank: toHex(task.rank),
    unique: task.unique && { ...task.unique },
    live: null,
    ended: [],
    archived: 0,
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
    renewedAt: null,
    replacedBy: null,
    changedBy: null,
    wrote: false,
    pending: [],
    pendingAt: null,
    output: null,
  };
}
