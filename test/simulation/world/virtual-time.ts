/**
 * Virtual time: a heap of events. Between two events all promises are run to their
 * end, so that an event and all it sets going is one indivisible moment.
 */
export interface VirtualTime {
  readonly nowMs: number;
  readonly eventCount: number;
  /** Calls back in `ms`; events of one instant keep the order in which they were made. */
  after(ms: number, fire: () => void): Timer;
  /** Runs events until the time is up, nothing is left, or `isOver` says so. */
  run(untilMs: number, isOver: () => boolean): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

interface Entry extends Timer {
  readonly atMs: number;
  readonly order: number;
  fire: (() => void) | null;
}

export function createVirtualTime(): VirtualTime {
  const heap: Entry[] = [];
  let nowMs = 0;
  let order = 0;
  let eventCount = 0;

  return {
    get nowMs() {
      return nowMs;
    },
    get eventCount() {
      return eventCount;
    },
    after(ms, fire) {
      const entry: Entry = {
        atMs: nowMs + Math.max(0, Math.round(ms)),
        order: order++,
        fire,
        cancel() {
          entry.fire = null;
        },
      };
      push(heap, entry);
      return entry;
    },
    async run(untilMs, isOver) {
      await null;
      await promisesRun();
      while (!isOver()) {
        const next = heap[0];
        if (next === undefined || next.atMs > untilMs) break;
        pop(heap);
        if (next.fire === null) continue;
        nowMs = next.atMs;
        eventCount += 1;
        next.fire();
        await promisesRun();
      }
    },
  };
}

/**
 * Called from a promise's callback, as all code here is, Node runs the tick only when no promise is
 * left to run: far cheaper than a turn of the event loop.
 */
function promisesRun(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const above = (index - 1) >> 1;
    const parent = heap[above] as Entry;
    if (!isBefore(entry, parent)) break;
    heap[index] = parent;
    index = above;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop() as Entry;
  if (heap.length === 0) return;
  let index = 0;
  for (;;) {
    let below = 2 * index + 1;
    if (below >= heap.length) break;
    const right = below + 1;
    if (right < heap.length && isBefore(heap[right] as Entry, heap[below] as Entry)) below = right;
    const child = heap[below] as Entry;
    if (!isBefore(child, last)) break;
    heap[index] = child;
    index = below;
  }
  heap[index] = last;
}
