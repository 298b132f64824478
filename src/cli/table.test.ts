import { describe, expect, it } from 'vitest';
import { type Column, layOutTable, type Paint } from './table.ts';

interface Row {
  readonly name: string;
  readonly count: number;
}

const plain: Paint = (_, text) => text;
const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', text: ({ name }) => name, isLong: true },
  { title: 'count', text: ({ count }) => String(count), align: 'right' },
];

describe('a table', () => {
  it('aligns its columns, and ends no line with spaces', () => {
    const table = layOutTable(COLUMNS, null, plain);
    const lines = table.lines([
      { name: 'a', count: 5 },
      { name: 'long-name', count: 12345 },
    ]);

    expect([table.head(), ...lines]).toEqual([
      'NAME       COUNT',
      'a              5',
      'long-name  12345',
    ]);
  });

  it('cuts long columns to the width of the terminal', () => {
    const table = layOutTable(COLUMNS, 16, plain);

    expect(table.lines([{ name: 'a-very-long-name', count: 5 }])).toEqual(['a-very-l…      5']);
  });

  it('lets no data break the line', () => {
    const table = layOutTable(COLUMNS, null, plain);

    expect(table.lines([{ name: 'a\n\u001b[2Jb', count: 1 }])).toEqual(['a b       1']);
  });

  it('keeps in step from page to page', () => {
    const table = layOutTable(COLUMNS, null, plain);
    table.lines([{ name: 'long-name', count: 1 }]);

    expect(table.lines([{ name: 'a', count: 2 }])).toEqual(['a              2']);
  });
});
