import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

type SortKey = string | number;

export interface Sort<Row> {
  readonly by: string;
  readonly isTurned: boolean;
  choose(by: string): void;
  apply(rows: readonly Row[]): Row[];
}

/** Rows in an order the reader chooses; the same column again turns it round. */
export function useSort<Row>(
  usual: string,
  keys: Readonly<Record<string, (row: Row) => SortKey>>,
): Sort<Row> {
  const [{ by, isTurned }, setOrder] = useState({ by: usual, isTurned: false });
  return {
    by,
    isTurned,
    choose: (next) => setOrder({ by: next, isTurned: next === by ? !isTurned : false }),
    apply(rows) {
      const key = keys[by];
      if (!key) return [...rows];
      const sorted = rows.toSorted((a, b) => compare(key(a), key(b)));
      return isTurned ? sorted.reverse() : sorted;
    },
  };
}

const collator = new Intl.Collator(undefined, { numeric: true });

function compare(a: SortKey, b: SortKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return collator.compare(String(a), String(b));
}

interface Props<Row> {
  readonly sort: Sort<Row>;
  readonly by: string;
  readonly isNumber?: boolean;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export function SortHead<Row>({ sort, by, isNumber, isWide, children }: Props<Row>) {
  const isChosen = sort.by === by;
  const order = isChosen ? (sort.isTurned ? 'descending' : 'ascending') : undefined;
  return (
    <th
      class={`${isNumber ? 'number' : ''}${isWide ? ' wide-only' : ''}`}
      aria-sort={order}
      scope="col"
    >
      <button type="button" class="sort" onClick={() => sort.choose(by)}>
        {children}
        {isChosen && (
          <span class={sort.isTurned ? 'turned' : ''}>
            <Icon name="up" />
          </span>
        )}
      </button>
    </th>
  );
}
