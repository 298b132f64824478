import type { Page } from '../../core/store/index.ts';

export interface PageOrder<Item> {
  readonly after: string | null;
  readonly limit: number;
  readonly cursorOf: (item: Item) => string;
}

/** A page of items that are all in hand, in order of UTF-16 code units of their cursors. */
export function pageOf<Item>(items: readonly Item[], order: PageOrder<Item>): Page<Item> {
  const { after, limit, cursorOf } = order;
  const rest = items
    .filter((item) => after === null || cursorOf(item) > after)
    .sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { items: page, next: last && rest.length > limit ? cursorOf(last) : null };
}
