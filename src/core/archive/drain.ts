import type { Clock } from '../clock.ts';
import type { Queue } from '../domain/queue.ts';
import { LIVE_STATES } from '../domain/task.ts';
import type { Store } from '../store/store.ts';
import { listNamespaces, readQueues } from './read-archive.ts';

const NOW = { now: null };
const LOOK_MS = 500;
const PAGE = 1000;

/** Tasks that a node holds, in these namespaces. External ones have none, and are not waited for. */
export async function countLive(store: Store, namespaces: readonly string[]): Promise<number> {
  let count = 0;
  for (const namespace of namespaces) {
    for (let after: string | null = null; ; ) {
      const query = { sort: 'id', direction: 'asc', states: LIVE_STATES, limit: PAGE } as const;
      const page = await store.tasks.list(namespace, { ...query, after }, NOW);
      count += page.items.filter(({ external }) => !external).length;
      if (page.next === null) break;
      after = page.next;
    }
  }
  return count;
}

export interface Drain {
  readonly store: Store;
  readonly namespaces: readonly string[] | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How many tasks are still live. */
  readonly onWait: (live: number) => void;
}

/** Resolves when nothing is live any more, or when the signal aborts. Claims must be stopped before. */
export async function waitUntilDrained(drain: Drain): Promise<void> {
  const { store, clock, signal, onWait } = drain;
  const namespaces = await listNamespaces(store, drain);
  for (;;) {
    const live = await countLive(store, namespaces);
    onWait(live);
    if (live === 0 || signal.aborted) return;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Pauses a queue or lets it go on; a queue that is gone is left alone. */
export async function setPaused(store: Store, queue: Queue, paused: boolean) {
  for (;;) {
    const there = await store.queues.find(queue.namespace, queue.name);
    if (there?.id !== queue.id || there.paused === paused) return;
    const change = { id: there.id, revision: there.revision, settings: { ...there, paused } };
    if ((await store.queues.update(change, NOW)).status !== 'changed') return;
  }
}

/** Queues that can be claimed from. */
export async function listOpenQueues(
  store: Store,
  namespaces: readonly string[],
): Promise<Queue[]> {
  const queues: Queue[] = [];
  for (const namespace of namespaces) {
    for await (const { queue, isDeleted } of readQueues(store, namespace)) {
      if (!isDeleted) queues.push(queue);
    }
  }
  return queues;
}
