import type { Page, PageRequest } from '../core/index.ts';

const LARGEST = 1000;

/** Page after page of a list, at most `limit` items in all. Memory holds one page. */
export async function* listPages<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Item[]> {
  let left = limit;
  let after: string | null = null;
  do {
    const page: Page<Item> = await list({ after, limit: Math.min(left, LARGEST) });
    if (page.items.length > 0) yield page.items;
    left -= page.items.length;
    after = page.next;
  } while (after !== null && left > 0);
}

export async function listAll<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const items of listPages(list)) all.push(...items);
  return all;
}
