/** Items in order, in pieces, as an index gives them; an empty piece is the end. */
export type Source<Item> = Iterator<readonly Item[], void>;

interface Head<Item> {
  readonly source: Source<Item>;
  items: readonly Item[];
  at: number;
}

/** The items of many ordered sources in one order, read no further than they are taken. */
export function* inOrder<Item>(
  sources: readonly Source<Item>[],
  compare: (a: Item, b: Item) => number,
): Generator<Item, void> {
  const heap: Head<Item>[] = [];
  const isBefore = (a: Head<Item>, b: Head<Item>): boolean =>
    compare(a.items[a.at] as Item, b.items[b.at] as Item) < 0;

  for (const source of sources) {
    const head: Head<Item> = { source, items: [], at: 0 };
    if (advance(head)) siftUp(heap, heap.push(head) - 1, isBefore);
  }
  for (let head = heap[0]; head; head = heap[0]) {
    yield head.items[head.at] as Item;
    head.at += 1;
    if (!advance(head)) {
      const last = heap.pop() as Head<Item>;
      if (heap.length === 0) return;
      if (last !== head) heap[0] = last;
    }
    siftDown(heap, isBefore);
  }
}

/** Makes sure that the head has an item; false when the source is at its end. */
function advance<Item>(head: Head<Item>): boolean {
  if (head.at < head.items.length) return true;
  const { done, value } = head.source.next();
  if (done || value.length === 0) return false;
  head.items = value;
  head.at = 0;
  return true;
}

function siftUp<Node>(heap: Node[], from: number, isBefore: (a: Node, b: Node) => boolean): void {
  let child = from;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (!isBefore(heap[child] as Node, heap[parent] as Node)) return;
    swap(heap, child, parent);
    child = parent;
  }
}

function siftDown<Node>(heap: Node[], isBefore: (a: Node, b: Node) => boolean): void {
  let parent = 0;
  for (;;) {
    let least = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      if (child < heap.length && isBefore(heap[child] as Node, heap[least] as Node)) least = child;
    }
    if (least === parent) return;
    swap(heap, parent, least);
    parent = least;
  }
}

function swap<Node>(heap: Node[], a: number, b: number): void {
  const kept = heap[a] as Node;
  heap[a] = heap[b] as Node;
  heap[b] = kept;
}
