/** What every page shows: queues with their counts, nodes, and how fast work ends. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import {
  type Engine,
  type Health,
  LARGEST_PAGE,
  noCounts,
  type Page,
  type Queue,
  systemClock,
  type TaskCounts,
  type Node as YardNode,
} from '../core/index.ts';
import { type Live, startLive } from './live.ts';
import { engine, signInReason } from './session.ts';
import { NO_THROUGHPUT, type QueueCounts, withCounts } from './throughput.ts';

const EVERY_MS = 1000;
const QUEUES_EVERY_MS = 4000;
const HEALTH_EVERY_MS = 30_000;
/** More nodes are read less often. */
const NODES_PER_SECOND = 100;
const MOST_PAGES = 20;

const queueList = signal<readonly Queue[] | null>(null);
const countList = signal<readonly QueueCounts[]>([]);

export const nodes = signal<readonly YardNode[]>([]);
export const namespaces = signal<readonly string[]>([]);
export const health = signal<Health | null>(null);
export const throughput = signal(NO_THROUGHPUT);
/** Something that cannot be read, in words. */
export const yardError = signal<string | null>(null);
/** How far the server's clock is ahead of this one. */
const clockAheadMs = signal(0);
export const now = signal(systemClock.now());

export interface QueueRow {
  readonly queue: Queue;
  readonly counts: TaskCounts;
}

/** null until first read. */
export const queueRows = computed<readonly QueueRow[] | null>(() => {
  const byName = new Map(countList.value.map(({ queue, counts }) => [queue, counts]));
  return (
    queueList.value?.map((queue) => ({ queue, counts: byName.get(queue.name) ?? noCounts() })) ??
    null
  );
});

let live: Live | null = null;

export function refreshYard(): void {
  live?.refresh();
}

/** Follows the engine: another namespace or token begins anew. */
effect(() => {
  const current = engine.value;
  live?.[Symbol.dispose]();
  live = null;
  if (signInReason.value !== null) return;
  batch(() => {
    queueList.value = null;
    countList.value = [];
    nodes.value = [];
    throughput.value = NO_THROUGHPUT;
  });
  live = untracked(() => follow(current));
});

// A second hand for "12 s ago"; it goes on while reading is paused.
const tick = (): void => {
  now.value = new Date(systemClock.now().getTime() + clockAheadMs.peek());
  systemClock.after(EVERY_MS, tick);
};
tick();

function follow(current: Engine): Live {
  let queuesDueMs = 0;
  let nodesDueMs = 0;
  let healthDueMs = 0;

  const load = async () => {
    const nowMs = systemClock.monotonicMs();
    const [counts, queues, someNodes, health] = await Promise.all([
      current.queues.counts(),
      nowMs >= queuesDueMs ? readAll((page) => current.queues.list(page)) : null,
      nowMs >= nodesDueMs ? readAll((page) => current.nodes.list(page)) : null,
      nowMs >= healthDueMs ? readHealth(current) : null,
    ]);
    if (queues) queuesDueMs = nowMs + QUEUES_EVERY_MS;
    if (someNodes) nodesDueMs = nowMs + (someNodes.length / NODES_PER_SECOND) * 1000;
    if (health) healthDueMs = nowMs + HEALTH_EVERY_MS;
    // A queue that was made just now is read at the next turn.
    const known = queues ?? queueList.peek() ?? [];
    if (counts.length !== known.length) queuesDueMs = 0;
    return { counts, queues, someNodes, health };
  };

  const started = startLive({
    everyMs: EVERY_MS,
    load,
    onValue: (read) =>
      batch(() => {
        countList.value = read.counts;
        throughput.value = withCounts(throughput.peek(), systemClock.monotonicMs(), read.counts);
        if (read.queues) queueList.value = read.queues;
        if (read.someNodes) nodes.value = read.someNodes;
        if (read.health) {
          health.value = read.health.health;
          namespaces.value = read.health.namespaces;
          clockAheadMs.value = read.health.aheadMs;
        }
      }),
    onError: (words) => {
      yardError.value = words;
    },
  });
  return {
    refresh() {
      queuesDueMs = 0;
      nodesDueMs = 0;
      started.refresh();
    },
    [Symbol.dispose]: () => started[Symbol.dispose](),
  };
}

async function readHealth(current: Engine) {
  const before = systemClock.now().getTime();
  const [health, list] = await Promise.all([current.health(), current.namespaces.list()]);
  const middle = (before + systemClock.now().getTime()) / 2;
  return {
    health,
    namespaces: list.map(({ name }) => name),
    aheadMs: health.now.getTime() - middle,
  };
}

async function readAll<Item>(
  list: (page: { after: string | null; limit: number }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | null = null;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page: Page<Item> = await list({ after, limit: LARGEST_PAGE });
    items.push(...page.items);
    if (page.next === null) break;
    after = page.next;
  }
  return items;
}
