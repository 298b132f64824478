/**
 * What the model store remembers: plain maps of plain records. Values that callers
 * could share with us are kept as JSON text, hex digits and milliseconds, so nothing is.
 */
import { QUEUE_DEFAULTS } from '../../../src/core/domain/queue.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type Claim,
  fromKeyBytes,
  type HoldReason,
  type Json,
  limitKeysOf,
  type NodeReport,
  type NodeWish,
  type OutputChunk,
  type Queue,
  type QueueSettings,
  type StoreChange,
  type Task,
  type TaskState,
  type UniqueScope,
} from '../../../src/core/store/index.ts';

export interface QueueRecord {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  settings: QueueSettings;
  nextContinuousAt: number | null;
  revision: number;
  readonly createdAt: number;
  updatedAt: number;
  deleted: boolean;
  /** Gone with its tasks; else those of a deleted queue were kept. */
  hidden: boolean;
  readonly counts: Record<TaskState, number>;
  readonly tasks: Set<TaskRecord>;
  readonly byKey: Map<string, TaskRecord>;
  /** When tasks were claimed, by name of the limit and key. */
  starts: Map<string, readonly number[]>;
}

export interface TaskRecord {
  readonly id: string;
  readonly queue: QueueRecord;
  readonly key: string | null;
  state: TaskState;
  hold: HoldReason | null;
  params: string;
  result: string;
  error: string | null;
  code: number | null;
  priority: number;
  notBefore: number | null;
  labels: string;
  external: boolean;
  rank: string;
  unique: { readonly key: string; readonly scope: UniqueScope } | null;
  live: LiveRecord | null;
  readonly ended: EndedRecord[];
  /** By fence, then by number. */
  readonly output: Map<number, Map<number, OutputChunk>>;
  fence: number;
  claimCount: number;
  tryCount: number;
  lossCount: number;
  roundCount: number;
  lastOutcome: AttemptOutcome | null;
  cancelRequestedAt: number | null;
  readonly createdAt: number;
  updatedAt: number;
  endedAt: number | null;
}

export interface LiveRecord {
  readonly fence: number;
  readonly node: string;
  readonly claimedAt: number;
  startedAt: number | null;
  expiresAt: number | null;
  readonly token: string | null;
  /** What it counts for in the queue's keyed limits. */
  limitKeys: readonly string[];
}

export interface EndedRecord extends Omit<LiveRecord, 'token' | 'limitKeys'> {
  readonly endedAt: number;
  readonly outcome: AttemptOutcome;
  readonly data: string;
  readonly error: string | null;
  readonly code: number | null;
  late: { readonly outcome: AttemptOutcome; readonly data: string; readonly at: number } | null;
}

export interface NodeRecord {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  report: NodeReport;
  active: boolean;
  wish: NodeWish;
  maxRunning: number | null;
  assignedVersion: number;
  assignedAt: number | null;
  readonly createdAt: number;
  heartbeatAt: number;
  expiresAt: number;
}

export interface ModelState {
  /** When each was made. */
  readonly namespaces: Map<string, number>;
  readonly queues: Map<string, QueueRecord>;
  readonly tasks: Map<string, TaskRecord>;
  /** Tasks taken away with their queue whose rows are still to be purged. */
  hiddenCount: number;
  /** By `nodeKey`: nodes, and how many attempts of each live. */
  readonly nodes: Map<string, NodeRecord>;
  readonly runningCounts: Map<string, number>;
  /** By node and token: until when the token is remembered, and the fences it gave, in order. */
  readonly claimTokens: Map<string, { readonly until: number; readonly taskIds: string[] }>;
  /** What the step under way will tell listeners. */
  readonly changes: StoreChange[];
}

export function emptyState(): ModelState {
  return {
    namespaces: new Map(),
    queues: new Map(),
    tasks: new Map(),
    hiddenCount: 0,
    nodes: new Map(),
    runningCounts: new Map(),
    claimTokens: new Map(),
    changes: [],
  };
}

/** Names hold no control characters, so the two cannot run into each other. */
export function nodeKey(namespace: string, name: string): string {
  return `${namespace}\n${name}`;
}

export function getTask(state: ModelState, id: string): TaskRecord {
  const task = state.tasks.get(id);
  if (!task) throw new Error(`No task ${id}`);
  return task;
}

/** Only queues that are there: a deleted one whose tasks were kept is not. */
export function findQueue(state: ModelState, id: string): QueueRecord | null {
  const queue = state.queues.get(id);
  return queue && !queue.deleted ? queue : null;
}

export function queuesOf(state: ModelState, namespace: string | null): QueueRecord[] {
  return [...state.queues.values()]
    .filter((queue) => !queue.deleted && (namespace === null || queue.namespace === namespace))
    .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.name, b.name));
}

/** A task of that namespace, or null. */
export function findTask(state: ModelState, namespace: string, id: string): TaskRecord | null {
  const task = state.tasks.get(id);
  return task?.queue.namespace === namespace ? task : null;
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function toText(value: Json | undefined): string {
  return JSON.stringify(value ?? null);
}

export function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

export function copyJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** The order of claims: by priority, then rank, then id. Hex digits sort as their bytes do. */
export function byPlace(a: TaskRecord, b: TaskRecord): number {
  return b.priority - a.priority || compare(a.rank, b.rank) || compare(a.id, b.id);
}

export function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toKey(key: string | null) {
  return key === null ? null : fromKeyBytes(Uint8Array.from(Buffer.from(key, 'hex')));
}

/** Only what settings consist of, whatever else the object held. */
export function toSettings(from: QueueSettings): QueueSettings {
  const names = Object.keys(QUEUE_DEFAULTS) as (keyof QueueSettings)[];
  return copyJson(Object.fromEntries(names.map((name) => [name, from[name]]))) as never;
}

export function toQueue(queue: QueueRecord): Queue {
  return {
    ...copyJson(queue.settings),
    id: queue.id,
    namespace: queue.namespace,
    name: queue.name,
    nextContinuousAt: toDate(queue.nextContinuousAt),
    revision: queue.revision,
    createdAt: new Date(queue.createdAt),
    updatedAt: new Date(queue.updatedAt),
  };
}

export function toTask(task: TaskRecord): Task {
  const { live } = task;
  return {
    id: task.id,
    namespace: task.queue.namespace,
    queueId: task.queue.id,
    queue: task.queue.name,
    state: task.state,
    key: toKey(task.key),
    params: JSON.parse(task.params),
    result: JSON.parse(task.result),
    error: task.error,
    code: task.code,
    priority: task.priority,
    notBefore: toDate(task.notBefore),
    labels: JSON.parse(task.labels),
    hold: task.hold,
    external: task.external,
    attempt: live && {
      fence: live.fence,
      node: live.node,
      claimedAt: new Date(live.claimedAt),
      startedAt: toDate(live.startedAt),
      expiresAt: toDate(live.expiresAt),
    },
    fence: task.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    lossCount: task.lossCount,
    roundCount: task.roundCount,
    lastOutcome: task.lastOutcome,
    cancelRequestedAt: toDate(task.cancelRequestedAt),
    createdAt: new Date(task.createdAt),
    updatedAt: new Date(task.updatedAt),
    endedAt: toDate(task.endedAt),
  };
}

/** What the task's params say now, for the queue's keyed limits. */
export function keysOf({ queue, params }: TaskRecord): readonly string[] {
  return limitKeysOf(queue.settings.limits, JSON.parse(params));
}

export function toAttempt(task: TaskRecord, attempt: LiveRecord | EndedRecord): Attempt {
  const ended = 'outcome' in attempt ? attempt : null;
  return {
    taskId: task.id,
    queue: task.queue.name,
    key: toKey(task.key),
    fence: attempt.fence,
    node: attempt.node,
    claimedAt: new Date(attempt.claimedAt),
    startedAt: toDate(attempt.startedAt),
    expiresAt: toDate(attempt.expiresAt),
    endedAt: toDate(ended?.endedAt ?? null),
    outcome: ended?.outcome ?? null,
    data: JSON.parse(ended?.data ?? task.result),
    error: ended?.error ?? null,
    code: ended?.code ?? null,
    late: ended?.late
      ? { ...ended.late, data: JSON.parse(ended.late.data), at: new Date(ended.late.at) }
      : null,
  };
}

/** Only for tasks that are held by a node; an external one's attempt was never claimed. */
export function toClaim(task: TaskRecord, live: LiveRecord): Claim {
  return {
    taskId: task.id,
    queueId: task.queue.id,
    queue: task.queue.name,
    key: toKey(task.key),
    params: JSON.parse(task.params),
    priority: task.priority,
    labels: JSON.parse(task.labels),
    fence: live.fence,
    claimCount: task.claimCount,
    tryCount: task.tryCount,
    roundCount: task.roundCount,
    claimedAt: new Date(live.claimedAt),
    expiresAt: new Date(live.expiresAt ?? live.claimedAt),
  };
}
