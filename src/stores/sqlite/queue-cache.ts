import type { Queue, QueueHead, QueueSettings, TaskCounts } from '../../core/store/index.ts';
import { CLAIMED, isLiveCode, QUEUED, RUNNING, STATES } from './codes.ts';
import type { Database } from './database.ts';

export const HERE = 0;
export const KEPT = 1;
export const HIDDEN = 2;

/** A queue in memory: exact, for this process is the file's only owner. */
export interface QueueEntry {
  readonly row: number;
  queue: Queue;
  /** HERE, KEPT: deleted, its tasks are not; HIDDEN: deleted, and its tasks wait to be purged. */
  fate: number;
  /** By number of state. */
  readonly counts: number[];
  /** No delayed task is due before this instant. */
  delaysFrom: number;
  /** All that is queued is beyond a keyed limit, and nothing has changed since that was found. */
  isStuck: boolean;
  /** How many limit keys waited when they were last looked at: a guess at how many do now. */
  keyCount: number;
  head: QueueHead | null;
}

export interface QueueCache {
  /** Also one that is gone but whose tasks were kept. */
  find(id: string): QueueEntry | null;
  /** Whatever its fate. */
  isKnown(id: string): boolean;
  findHere(id: string): QueueEntry | null;
  findByName(namespace: string, name: string): QueueEntry | null;
  getByRow(row: number): QueueEntry;
  /** Those that are there, by name; of all namespaces when null, by namespace first. */
  listHere(namespace: string | null): readonly QueueEntry[];
  /** Those whose tasks are to be found. */
  listReadable(namespace: string): QueueEntry[];
  listHidden(): QueueEntry[];
  listAll(): Iterable<QueueEntry>;
  add(row: number, queue: Queue, fate?: number): void;
  setFate(entry: QueueEntry, fate: number): void;
  remove(entry: QueueEntry): void;
  /** Counts tasks from one state to another; null is outside. */
  move(entry: QueueEntry, from: number | null, to: number | null, count?: number): void;
  /** Forgets what was derived from the queue's definition. */
  changed(entry: QueueEntry): void;
  /** Writes the counters that changed. */
  flush(): void;
  load(): void;
}

export function createQueueCache(db: Database): QueueCache {
  const byId = new Map<string, QueueEntry>();
  const byRow = new Map<number, QueueEntry>();
  const hereByNamespace = new Map<string, Map<string, QueueEntry>>();
  const sorted = new Map<string, readonly QueueEntry[]>();
  const unsaved = new Set<QueueEntry>();

  function put(entry: QueueEntry): void {
    const { id, namespace, name } = entry.queue;
    byId.set(id, entry);
    byRow.set(entry.row, entry);
    if (entry.fate !== HERE) return;
    const queues = hereByNamespace.get(namespace) ?? new Map<string, QueueEntry>();
    hereByNamespace.set(namespace, queues.set(name, entry));
    sorted.delete(namespace);
  }

  function leave({ queue: { namespace, name } }: QueueEntry): void {
    hereByNamespace.get(namespace)?.delete(name);
    sorted.delete(namespace);
  }

  function listHere(namespace: string | null): readonly QueueEntry[] {
    if (namespace === null) return [...hereByNamespace.keys()].toSorted().flatMap(listHere);
    let list = sorted.get(namespace);
    if (!list) {
      const queues = [...(hereByNamespace.get(namespace)?.values() ?? [])];
      list = queues.sort((a, b) => (a.queue.name < b.queue.name ? -1 : 1));
      sorted.set(namespace, list);
    }
    return list;
  }

  return {
    find: (id) => {
      const entry = byId.get(id);
      return entry && entry.fate !== HIDDEN ? entry : null;
    },
    isKnown: (id) => byId.has(id),
    findHere: (id) => {
      const entry = byId.get(id);
      return entry?.fate === HERE ? entry : null;
    },
    findByName: (namespace, name) => hereByNamespace.get(namespace)?.get(name) ?? null,
    getByRow(row) {
      const entry = byRow.get(row);
      if (!entry) throw new Error(`A task is in queue ${row}, which is not there.`);
      return entry;
    },
    listHere,
    listReadable: (namespace) =>
      [...byRow.values()].filter(
        ({ fate, queue }) => fate !== HIDDEN && queue.namespace === namespace,
      ),
    listHidden: () => [...byRow.values()].filter(({ fate }) => fate === HIDDEN),
    listAll: () => byRow.values(),
    add: (row, queue, fate = HERE) => put(toEntry(row, queue, fate, Array(STATES.length).fill(0))),
    setFate(entry, fate) {
      leave(entry);
      entry.fate = fate;
    },
    remove(entry) {
      byId.delete(entry.queue.id);
      byRow.delete(entry.row);
      unsaved.delete(entry);
    },
    move(entry, from, to, count = 1) {
      if (from !== null) entry.counts[from] = (entry.counts[from] ?? 0) - count;
      if (to !== null) entry.counts[to] = (entry.counts[to] ?? 0) + count;
      if (to === QUEUED || (from !== null && isLiveCode(from))) entry.isStuck = false;
      entry.head = null;
      unsaved.add(entry);
    },
    changed(entry) {
      entry.head = null;
      entry.isStuck = false;
    },
    flush() {
      for (const { counts, row } of unsaved) db.run(SAVE_COUNTS_SQL, ...counts, row);
      unsaved.clear();
    },
    load() {
      for (const map of [byId, byRow, hereByNamespace, sorted, unsaved]) map.clear();
      for (const row of db.all<QueueRow>(LOAD_SQL)) {
        const counts = STATES.map((state) => row[state]);
        put(toEntry(row.row, toQueue(row), row.fate, counts));
      }
    },
  };
}

const COUNTERS = STATES.join(', ');

const SAVE_COUNTS_SQL = `
  update queues set ${STATES.map((state) => `${state} = ?`).join(', ')} where row = ?`;

const LOAD_SQL = `
  select row, id, namespace, name, fate, revision, next_continuous_at as nextContinuousAt,
    created_at as createdAt, updated_at as updatedAt, settings, ${COUNTERS}
  from queues order by row`;

interface QueueRow extends Record<(typeof STATES)[number], number> {
  readonly row: number;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly fate: number;
  readonly revision: number;
  readonly nextContinuousAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly settings: string;
}

function toQueue({ row: _, fate: __, settings, ...rest }: QueueRow): Queue {
  const { id, namespace, name, revision, nextContinuousAt, createdAt, updatedAt } = rest;
  return {
    ...(JSON.parse(settings) as QueueSettings),
    id,
    namespace,
    name,
    nextContinuousAt: nextContinuousAt === null ? null : new Date(nextContinuousAt),
    revision,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

function toEntry(row: number, queue: Queue, fate: number, counts: number[]): QueueEntry {
  const delaysFrom = Number.POSITIVE_INFINITY;
  return { row, queue, fate, counts, delaysFrom, isStuck: false, keyCount: 0, head: null };
}

/** Tasks that hold a slot: claimed or running. */
export function liveCountOf({ counts }: QueueEntry): number {
  return (counts[CLAIMED] ?? 0) + (counts[RUNNING] ?? 0);
}

export function taskCountOf({ counts }: QueueEntry): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Counters as they are handed out; spelt out, for a claim looks at those of every queue. */
export function toCounts(counts: readonly number[]): TaskCounts {
  return {
    queued: counts[0] ?? 0,
    delayed: counts[1] ?? 0,
    held: counts[2] ?? 0,
    claimed: counts[3] ?? 0,
    running: counts[4] ?? 0,
    succeeded: counts[5] ?? 0,
    failed: counts[6] ?? 0,
    cancelled: counts[7] ?? 0,
    terminated: counts[8] ?? 0,
    orphaned: counts[9] ?? 0,
  };
}
