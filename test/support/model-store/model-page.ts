import type { Page } from '../../../src/core/store/index.ts';
import { compare } from './model-state.ts';

export interface PageOrder<Item> {
  readonly after: string | null;
  readonly limit: number;
  readonly cursorOf: (item: Item) => string;
  readonly descending?: boolean;
}

/** A page of items in order of their cursors, which must differ. */
export function pageOf<Item>(items: readonly Item[], order: PageOrder<Item>): Page<Item> {
  const { after, limit, cursorOf, descending = false } = order;
  const sign = descending ? -1 : 1;
  const rest = items
    .filter((item) => after === null || compare(cursorOf(item), after) * sign > 0)
    .sort((a, b) => compare(cursorOf(a), cursorOf(b)) * sign);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { items: page, next: last && rest.length > limit ? cursorOf(last) : null };
}
