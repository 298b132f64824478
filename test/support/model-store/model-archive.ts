import {
  type ArchivedQueue,
  type ArchivedTask,
  type ArchiveStore,
  type Attempt,
  isLive,
  noCounts,
  type OutputChunk,
  type OutputPut,
  type PutAnswer,
  toKeyBytes,
} from '../../../src/core/store/index.ts';
import { pageOf } from './model-page.ts';
import {
  compare,
  type EndedRecord,
  findTask,
  keysOf,
  type ModelState,
  type QueueRecord,
  queuesOf,
  type TaskRecord,
  toAttempt,
  toHex,
  toQueue,
  toSettings,
  toTask,
  toText,
} from './model-state.ts';
import type { ModelSteps } from './model-steps.ts';
import type { ModelTokens } from './model-tokens.ts';
import { enqueue } from './model-transitions.ts';

export function createModelArchive(steps: ModelSteps, tokens: ModelTokens): ArchiveStore {
  const { state, look, take } = steps;
  return {
    listQueues: (namespace, { after, limit }) =>
      look(() => {
        const queues = [...state.queues.values()]
          .filter((queue) => queue.namespace === namespace && !queue.hidden)
          .map((queue) => ({ queue: toQueue(queue), isDeleted: queue.deleted }));
        return pageOf(queues, { after, limit, cursorOf: ({ queue }) => queue.id });
      }),

    listTasks: ({ queueId, namespace, after, limit, limitBytes }) =>
      look(() => {
        const queue = state.queues.get(queueId);
        const tasks = queue?.namespace === namespace ? [...queue.tasks] : [];
        const all = pageOf(tasks, { after, limit, cursorOf: ({ id }) => id });
        let size = 0;
        const beyond = all.items.findIndex((task, index) => {
          const isBeyond = index > 0 && size >= limitBytes;
          size += sizeOf(task);
          return isBeyond;
        });
        if (beyond === -1) return { items: all.items.map(toArchived), next: all.next };
        const items = all.items.slice(0, beyond);
        return { items: items.map(toArchived), next: items.at(-1)?.id ?? null };
      }),

    listTokens: () =>
      look(() =>
        [...tokens.values()]
          .map(({ token, hash }) => ({ token: structuredClone(token), hash: fromHex(hash) }))
          .sort((a, b) => compare(a.token.name, b.token.name)),
      ),

    putQueue: (archived, step) => take(step, (now) => putQueue(state, archived, now)),

    putTasks: ({ namespace, queueId, tasks }, step) =>
      take(step, (now) => {
        const queue = state.queues.get(queueId);
        if (queue?.namespace !== namespace || queue.hidden) return 'missing-queue';
        return tasks.map((task) => putTask(state, queue, task, now));
      }),

    putOutput: (put, step) => take(step, () => putOutput(state, put)),
  };
}

function putQueue(state: ModelState, { queue, isDeleted }: ArchivedQueue, now: number) {
  const { id, namespace, name, nextContinuousAt, revision, createdAt, updatedAt } = queue;
  if (state.queues.has(id)) return 'there';
  const isTaken = queuesOf(state, namespace).some((one) => one.name === name);
  if (!isDeleted && isTaken) return 'name-taken';
  if (!state.namespaces.has(namespace)) state.namespaces.set(namespace, now);
  state.queues.set(id, {
    id,
    namespace,
    name,
    settings: toSettings(queue),
    nextContinuousAt: nextContinuousAt?.getTime() ?? null,
    revision,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
    deleted: isDeleted,
    hidden: false,
    counts: noCounts(),
    tasks: new Set(),
    byKey: new Map(),
    starts: new Map(),
  });
  return 'put';
}

function putTask(
  state: ModelState,
  queue: QueueRecord,
  archived: ArchivedTask,
  now: number,
): PutAnswer {
  const { task, attempts } = archived;
  if (isLive(task.state)) throw new Error(`Task ${task.id} is ${task.state}.`);
  if (state.tasks.has(task.id)) return 'there';
  const record = toRecord(queue, archived);
  if (record.key !== null && queue.byKey.has(record.key)) return 'key-taken';
  state.tasks.set(record.id, record);
  queue.tasks.add(record);
  if (record.key !== null) queue.byKey.set(record.key, record);
  queue.counts[record.state] += 1;
  addStarts(record, attempts);
  if (record.state === 'queued' && record.external) enqueue(state, record, now);
  state.changes.push({ kind: 'ready', namespace: queue.namespace, queueId: queue.id });
  return 'put';
}

function addStarts(task: TaskRecord, attempts: readonly Attempt[]): void {
  const keys = keysOf(task);
  const { settings, starts } = task.queue;
  for (const [index, { name, perMs }] of settings.limits.entries()) {
    if (perMs === null) continue;
    const key = `${name}\n${keys[index]}`;
    const claims = attempts.map(({ claimedAt }) => claimedAt.getTime());
    starts.set(key, [...(starts.get(key) ?? []), ...claims]);
  }
}

function toRecord(queue: QueueRecord, { task, rank, uniqueKey, attempts }: ArchivedTask) {
  const { id, state, hold, error, code, priority, external, fence, lastOutcome } = task;
  const { claimCount, tryCount, lossCount, roundCount } = task;
  const record: TaskRecord = {
    ...{ id, queue, state, hold, error, code, priority, external, fence, lastOutcome },
    ...{ claimCount, tryCount, lossCount, roundCount },
    key: task.key === null ? null : toHex(toKeyBytes(task.key)),
    params: toText(task.params),
    result: toText(task.result),
    notBefore: task.notBefore?.getTime() ?? null,
    labels: toText(task.labels),
    rank: toHex(rank),
    unique: uniqueKey === null ? null : { key: uniqueKey, scope: 'forever' },
    live: null,
    ended: attempts.map(toEnded),
    output: new Map(),
    cancelRequestedAt: task.cancelRequestedAt?.getTime() ?? null,
    createdAt: task.createdAt.getTime(),
    updatedAt: task.updatedAt.getTime(),
    endedAt: task.endedAt?.getTime() ?? null,
  };
  return record;
}

function toEnded(attempt: Attempt): EndedRecord {
  const { fence, node, endedAt, outcome, error, code, late } = attempt;
  if (endedAt === null || outcome === null) throw new Error(`Attempt ${fence} has not ended.`);
  return {
    ...{ fence, node, outcome, error, code },
    claimedAt: attempt.claimedAt.getTime(),
    startedAt: attempt.startedAt?.getTime() ?? null,
    expiresAt: attempt.expiresAt?.getTime() ?? null,
    endedAt: endedAt.getTime(),
    data: toText(attempt.data),
    late: late && { outcome: late.outcome, data: toText(late.data), at: late.at.getTime() },
  };
}

function toArchived(task: TaskRecord): ArchivedTask {
  return {
    task: toTask(task),
    rank: fromHex(task.rank),
    uniqueKey: task.unique?.key ?? null,
    attempts: task.ended.map((attempt) => toAttempt(task, attempt)),
    outputFences: [...task.output.keys()].sort((a, b) => a - b),
  };
}

function sizeOf({ params, result, ended }: TaskRecord): number {
  return ended.reduce((sum, { data }) => sum + data.length, params.length + result.length);
}

function putOutput(state: ModelState, { namespace, taskId, fence, chunks }: OutputPut) {
  const task = findTask(state, namespace, taskId);
  if (!task) return 'missing';
  const kept = task.output.get(fence) ?? new Map<number, OutputChunk>();
  for (const chunk of chunks) {
    if (!kept.has(chunk.number)) kept.set(chunk.number, structuredClone(chunk));
  }
  if (kept.size > 0) task.output.set(fence, kept);
  return 'kept';
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}
