import { cutText, padText, textWidth, toPlainLine } from './terminal-text.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style | null, text: string) => string;

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly align?: 'left' | 'right';
  readonly style?: (row: Row) => Style | null;
  /** Cut first when the terminal is too narrow. */
  readonly isLong?: boolean;
}

/** Lines of aligned columns; `widths` grows with the rows, so that later pages keep step with the first. */
export interface TableLayout<Row> {
  head(): string;
  lines(rows: readonly Row[]): string[];
}

const GAP = 2;
const LEAST_WIDTH = 8;

/** Lays rows out in columns; at most `width` wide (null: as wide as need be). */
export function layOutTable<Row>(
  columns: readonly Column<Row>[],
  width: number | null,
  paint: Paint,
): TableLayout<Row> {
  const widths = columns.map(({ title }) => title.length);

  const shrink = (): void => {
    if (width === null) return;
    let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
    for (const [index, { isLong }] of columns.entries()) {
      if (!isLong || excess <= 0) continue;
      const least = Math.max(LEAST_WIDTH, columns[index]?.title.length ?? 0);
      const cut = Math.min(excess, Math.max(0, (widths[index] ?? 0) - least));
      widths[index] = (widths[index] ?? 0) - cut;
      excess -= cut;
    }
  };
  const join = (cells: readonly string[]): string => cells.join(' '.repeat(GAP)).trimEnd();
  const place = (text: string, index: number): string => {
    const cut = width === null ? text : cutText(text, widths[index] ?? 0);
    const isLast = index === columns.length - 1;
    const align = columns[index]?.align ?? 'left';
    return isLast && align === 'left' ? cut : padText(cut, widths[index] ?? 0, align);
  };

  return {
    head: () =>
      join(columns.map(({ title }, index) => paint('dim', place(title.toUpperCase(), index)))),
    lines(rows) {
      const cells = rows.map((row) => columns.map(({ text }) => toPlainLine(text(row))));
      for (const line of cells) {
        for (const [index, text] of line.entries()) {
          widths[index] = Math.max(widths[index] ?? 0, textWidth(text));
        }
      }
      shrink();
      return cells.map((line, at) =>
        join(
          line.map((text, index) => {
            const row = rows[at] as Row;
            return paint(columns[index]?.style?.(row) ?? null, place(text, index));
          }),
        ),
      );
    },
  };
}
